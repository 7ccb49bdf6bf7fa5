import ExactTime
import Support
import Testing

@Suite struct `Given a value between two whole numbers` {
  @Test(
    arguments: [
      (Rational(7, 2), [3, 4, 4, 3]), (Rational(5, 2), [2, 3, 2, 2]),
      (Rational(-5, 2), [-3, -2, -2, -2]), (Rational(-7, 2), [-4, -3, -4, -3]),
      (Rational(1, 3), [0, 1, 0, 0]), (Rational(-2, 3), [-1, 0, -1, 0]),
      (Rational(4), [4, 4, 4, 4]),
      (Rational(.max, 2), [.max / 2, .max / 2 + 1, .max / 2 + 1, .max / 2]),
      (Rational(.min), [.min, .min, .min, .min]),
    ] as [(Rational, [Int64])])
  func `then down, up, nearest and toward zero each round as named`(
    _ value: Rational, _ expected: [Int64]
  ) throws {
    let roundings: [Rounding] = [.down, .up, .nearest, .towardZero]
    for (rounding, whole) in zip(roundings, expected) {
      #expect(try value.rounded(rounding) == whole, "\(rounding)")
    }
  }

  @Test func `then each rounding matches its definition`() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<20_000 {
      let value = generator.rational()
      let (top, bottom) = (Int128(value.numerator), Int128(value.denominator))
      let down = Int128(try value.rounded(.down))
      #expect(down * bottom <= top && top < (down + 1) * bottom, "\(value), \(generator)")
      let up = Int128(try value.rounded(.up))
      #expect((up - 1) * bottom < top && top <= up * bottom, "\(value), \(generator)")
      let zero = try value.rounded(.towardZero)
      #expect(zero == (value.isNegative ? Int64(up) : Int64(down)), "\(value), \(generator)")
      let nearest = Int128(try value.rounded(.nearest))
      let twice = (2 * (top - nearest * bottom)).magnitude
      #expect(
        twice < bottom.magnitude || (twice == bottom.magnitude && nearest.isMultiple(of: 2)),
        "\(value), \(generator)")
    }
  }
}

@Suite struct `Given a grid of ticks` {
  static let grids: [TickGrid] = [
    TickGrid(ticksPerSecond: 600), TickGrid(ticksPerSecond: 1000),
    TickGrid(ticksPerSecond: 48_000), TickGrid(ticksPerSecond: 90_000),
    TickGrid(ticksPerSecond: .max),
  ]

  @Test(arguments: grids, Rounding.allCases)
  func `then ticks to time to ticks is the identity`(_ grid: TickGrid, _ rounding: Rounding) throws
  {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<1000 {
      let tick = generator.part()
      guard let time = try? grid.time(atTick: tick) else { continue }
      #expect(try grid.tick(of: time, rounding: rounding) == tick, "\(generator)")
      #expect(grid.holds(time), "\(generator)")
    }
  }

  @Test func `then any instant on any grid has the tick that the definition gives, or none`() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<50_000 {
      let (time, tick) = generator.rationals()
      guard tick.isPositive, let grid = try? TickGrid(secondsPerTick: tick),
        let exact = ReferenceFraction(time) / ReferenceFraction(tick)
      else { continue }
      let found = try? grid.tick(of: MediaTime(seconds: time), rounding: .down)
      let (whole, rest) = exact.numerator.quotientAndRemainder(dividingBy: exact.denominator)
      let magnitude = exact.isNegative && rest > 0 ? whole + 1 : whole
      let limit: UInt128 = exact.isNegative ? 1 << 63 : (1 << 63) - 1
      let expected: Int64? =
        magnitude > limit
        ? nil : Int64(exact.isNegative ? -Int128(magnitude) : Int128(magnitude))
      #expect(found == expected, "\(time) on \(tick), \(generator)")
    }
  }

  @Test(arguments: ["0", "-1/600"])
  func `then a tick that is not positive is refused`(
    _ text: String
  ) throws {
    let tick = try #require(Rational(exactly: text))
    #expect(throws: ExactTimeError.notPositive) { try TickGrid(secondsPerTick: tick) }
  }
}
