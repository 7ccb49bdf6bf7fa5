/// Violations of the laws of hashing among `values`: empty for a lawful type.
///
/// Equal values have equal hashes, and equality is reflexive and symmetric.
package func violationsOfHashing<Value: Hashable>(among values: [Value]) -> [String] {
  var violations: [String] = []
  for a in values {
    if a != a { violations.append("\(a) is not equal to itself") }
    for b in values {
      if (a == b) != (b == a) { violations.append("\(a) == \(b) depends on the order") }
      if a == b, a.hashValue != b.hashValue {
        violations.append("\(a) == \(b), but their hashes differ")
      }
    }
  }
  return violations
}
