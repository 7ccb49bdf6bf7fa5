/// Violations of the laws of a commutative group among `values`, where nothing overflows: empty for
/// a lawful type.
///
/// Checks `0 + a = a`, `a + b = b + a`, `(a + b) + c = a + (b + c)` and `(a + b) − b = a`. A step
/// that throws is not a violation, unless swapping the terms makes it pass.
package func violationsOfAddition<Value: Equatable>(
  among values: [Value], zero: Value, adding: (Value, Value) throws -> Value,
  subtracting: (Value, Value) throws -> Value
) -> [String] {
  var violations: [String] = []
  for a in values {
    if (try? adding(zero, a)) != a { violations.append("0 + \(a) is not \(a)") }
    for b in values {
      let sum = try? adding(a, b)
      if sum != (try? adding(b, a)) { violations.append("\(a) + \(b) depends on the order") }
      guard let sum else { continue }
      if (try? subtracting(sum, b)) != a { violations.append("\(a) + \(b) - \(b) is not \(a)") }
      for c in values {
        guard let rest = try? adding(b, c), let left = try? adding(sum, c),
          let right = try? adding(a, rest), left != right
        else { continue }
        violations.append("\(a) + \(b) + \(c) depends on the brackets")
      }
    }
  }
  return violations
}
