/// The greatest number that divides both (Euclid, Elements VII, 2); the other number where one is zero.
package func greatestCommonDivisor<Number: FixedWidthInteger & UnsignedInteger>(
  _ one: Number, _ other: Number
) -> Number {
  var (a, b) = (one, other)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
