/// The greatest common divisor (Euclid, Elements VII, 2); if one number is zero, the other one.
package func greatestCommonDivisor<Number: FixedWidthInteger & UnsignedInteger>(
  _ one: Number, _ other: Number
) -> Number {
  var (a, b) = (one, other)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
