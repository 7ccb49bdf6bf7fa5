import ExactTime
import Support

extension SeededGenerator {
  /// A numerator or denominator: any width, often right next to a power of two or at the limit.
  mutating func part() -> Int64 {
    switch Int.random(in: 0..<8, using: &self) {
    case 0:
      return [.min, .min + 1, .max, .max - 1, -1, 0, 1, 2][Int.random(in: 0..<8, using: &self)]
    case 1...3:
      let power = Int64(1) << Int64.random(in: 1...62, using: &self)
      let near = power &+ Int64.random(in: -3...3, using: &self)
      return Bool.random(using: &self) ? near : -near
    case 4, 5: return .random(in: (-1 << 62)...(1 << 62), using: &self)
    default:
      return Int64.random(in: .min ... .max, using: &self) >> Int64.random(in: 0...60, using: &self)
    }
  }

  /// Any fraction, most of them with parts of 62 bits or so.
  mutating func rational() -> Rational {
    while true {
      if let value = try? Rational(checked: Int128(part()), over: Int128(part())) { return value }
    }
  }

  /// A pair of fractions; half of the pairs share a denominator or a factor of it, so that their
  /// sum has a chance to fit.
  mutating func rationals() -> (Rational, Rational) {
    let first = rational()
    guard Bool.random(using: &self) else { return (first, rational()) }
    let small = Int64.random(in: 1...4, using: &self)
    let second = try? Rational(
      checked: Int128(part()), over: Int128(first.denominator) * Int128(small))
    return (first, second ?? rational())
  }

  /// An instant as found in files: a tick of a common grid within a day.
  mutating func clipSeconds() -> Rational {
    let grids: [(Int64, Int64)] = [
      (1, 600), (1, 1000), (1, 48_000), (1, 90_000), (1, 44_100), (1001, 30_000), (1001, 24_000),
    ]
    let (numerator, denominator) = grids[Int.random(in: 0..<grids.count, using: &self)]
    let ticks = Int64.random(in: -1000...86_400 * denominator / numerator, using: &self)
    return Rational(ticks) * Rational(numerator, denominator)
  }
}
