import ExactTime
import Support
import Testing

@Suite(.timeLimit(Sample.limit)) struct `Given exact fractions of 64-bit integers` {
  /// Runs one operation, and describes what is wrong with its result.
  static func difference(
    _ name: @autoclosure () -> String, _ expected: Rational?,
    _ operation: () throws(ExactTimeError) -> Rational
  ) -> String? {
    do {
      let found = try operation()
      return found == expected ? nil : "\(name()) is \(found), not \(expected as Any)"
    } catch {
      return expected == nil ? nil : "\(name()) throws \(error), and is \(expected as Any)"
    }
  }

  @Test(arguments: [UInt64(1), 2])
  func `then every operator agrees with a wider reference, or throws`(_ number: UInt64) {
    var generator = Sample.generator(number)
    var differences: [String] = []
    // The full run is 250,000 pairs for each of two seeds: a million fractions.
    for _ in 0..<Sample.count(20_000, ofAll: 250_000) where differences.count < 10 {
      let (a, b) = generator.rationals()
      let (wideA, wideB) = (ReferenceFraction(a), ReferenceFraction(b))
      differences += [
        Self.difference("\(a) + \(b)", (wideA + wideB).narrowed) { () throws(ExactTimeError) in
          try a.adding(b)
        },
        Self.difference("\(a) - \(b)", (wideA - wideB).narrowed) { () throws(ExactTimeError) in
          try a.subtracting(b)
        },
        Self.difference("\(a) * \(b)", (wideA * wideB).narrowed) { () throws(ExactTimeError) in
          try a.multiplied(by: b)
        },
        Self.difference("\(a) / \(b)", (wideA / wideB)?.narrowed) { () throws(ExactTimeError) in
          try a.divided(by: b)
        },
        (a < b) == (wideA < wideB) ? nil : "\(a) < \(b) is \(a < b)",
      ].compactMap { $0 }
    }
    #expect(differences.isEmpty, "\(generator)")
  }

  @Test func `then a fraction is kept reduced, with a positive denominator`() throws {
    let value = try Rational(checked: 242, over: -4)
    #expect(value.numerator == -121)
    #expect(value.denominator == 2)
  }

  @Test func `then the smallest integer is a value like any other`() throws {
    let least = Rational(.min)
    #expect(try least.adding(Rational(.max)) == Rational(-1))
    #expect(try least.divided(by: least) == .one)
    #expect(try least.multiplied(by: Rational(1, 2)) == Rational(.min / 2))
    #expect(throws: ExactTimeError.overflow) { try Rational.zero.subtracting(least) }
    #expect(throws: ExactTimeError.overflow) { try least.multiplied(by: least) }
    #expect(throws: ExactTimeError.overflow) { try Rational.one.divided(by: least) }
    #expect(throws: ExactTimeError.overflow) { try MediaDuration(.min).checkedMagnitude() }
    #expect(throws: ExactTimeError.overflow) { try Rational(checked: .min, over: .max) }
    #expect(try Rational(checked: .min, over: .min) == .one)
  }

  @Test func `then division by zero is an error`() {
    #expect(throws: ExactTimeError.zeroDenominator) { try Rational.one.divided(by: .zero) }
    #expect(throws: ExactTimeError.zeroDenominator) { try Rational(checked: 1, over: 0) }
  }

  @Suite struct `When the laws of arithmetic are checked` {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `then order is total and hashing follows equality`(_ seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      var values = (0..<40).map { _ in generator.rational() }
      values += values.prefix(5)
      #expect(violationsOfOrder(among: values).isEmpty, "\(generator)")
      #expect(violationsOfHashing(among: values).isEmpty, "\(generator)")
      #expect(violationsOfOrder(among: values.map(MediaTime.init)).isEmpty, "\(generator)")
      #expect(violationsOfHashing(among: values.map(MediaDuration.init)).isEmpty, "\(generator)")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `then addition of durations is a commutative group`(_ seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let wild = (0..<15).map { _ in MediaDuration(seconds: generator.rational()) }
      let tame = (0..<15).map { _ in MediaDuration(seconds: generator.clipSeconds()) }
      let violations = violationsOfAddition(
        among: wild + tame, zero: .zero, adding: { try $0.adding($1) },
        subtracting: { try $0.subtracting($1) })
      #expect(violations.isEmpty, "\(generator)")
    }

    @Test func `then moving forward and back ends at the start`() throws {
      var generator = SeededGenerator(seed: 5)
      for _ in 0..<2000 {
        let start = MediaTime(seconds: generator.clipSeconds())
        let end = MediaTime(seconds: generator.clipSeconds())
        let length = try end.distance(from: start)
        #expect(try start.advanced(by: length) == end, "\(generator)")
        #expect(try end.moved(back: length) == start, "\(generator)")
      }
    }
  }

  @Suite struct `When a fraction is written and read` {
    @Test func `then every value is preserved`() throws {
      var generator = SeededGenerator(seed: 6)
      for _ in 0..<5000 {
        let value = generator.rational()
        #expect(Rational(exactly: "\(value)") == value, "\(generator)")
      }
    }

    @Test(arguments: [
      "", "/", "1/", "/2", "+1", "1/+2", "1/-2", "1/0", "1.5", " 1", "1/2/3", "٣", "0x1",
    ])
    func `then anything else is refused`(_ text: String) {
      #expect(Rational(exactly: text) == nil)
    }
  }
}
