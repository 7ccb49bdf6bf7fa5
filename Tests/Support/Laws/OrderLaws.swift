/// Violations of the laws of a total order among `values`: empty for a lawful type.
///
/// Checks trichotomy for each pair, and transitivity of `<` and of `==` for each triple, so the
/// time grows with the cube of the count.
package func violationsOfOrder<Value: Comparable>(among values: [Value]) -> [String] {
  var violations: [String] = []
  for a in values {
    for b in values {
      let relations = [a < b, a == b, a > b].filter { $0 }.count
      if relations != 1 { violations.append("\(a) and \(b): not one of <, ==, >") }
      if (a <= b) == (b < a) { violations.append("\(a) and \(b): <= is not the opposite of >") }
      for c in values where a <= b && b <= c && !(a <= c) {
        violations.append("\(a) <= \(b) <= \(c), but not \(a) <= \(c)")
      }
    }
  }
  return violations
}
