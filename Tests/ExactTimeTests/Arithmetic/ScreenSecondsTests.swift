import ExactTime
import Support
import Testing

@Suite struct `Given a Double from a user interface` {
  static let grid = TickGrid(ticksPerSecond: 600)

  @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
  func `then anything but a number is refused`(_ value: Double) {
    #expect(throws: ExactTimeError.notFinite) {
      try MediaTime(screenSeconds: value, on: Self.grid, rounding: .nearest)
    }
  }

  @Test(arguments: [1e19, -1e19, 0x1p63, -0x1p63, 1e17, .greatestFiniteMagnitude])
  func `then a value without a 64-bit tick is refused`(_ value: Double) {
    #expect(throws: ExactTimeError.overflow) {
      try MediaTime(screenSeconds: value, on: Self.grid, rounding: .nearest)
    }
  }

  @Test(
    arguments: [
      (0, .zero), (-0.0, .zero), (60.5, MediaTime(121, 2)), (-1.25, MediaTime(-5, 4)),
      // 0.1 is a little more than a tenth, 0.3 a little less than three.
      (0.1, MediaTime(1, 10)), (0.3, MediaTime(3, 10)), (59.94, MediaTime(2997, 50)),
      (1e15, MediaTime(1_000_000_000_000_000)),
    ] as [(Double, MediaTime)])
  func `then it is rounded to the nearest tick`(_ value: Double, _ time: MediaTime) throws {
    let found = try MediaTime(screenSeconds: value, on: Self.grid, rounding: .nearest)
    #expect(found == time)
  }

  @Test func `then the Double's exact value is what is rounded`() throws {
    let tenths = TickGrid(ticksPerSecond: 10)
    #expect(try MediaTime(screenSeconds: 0.1, on: tenths, rounding: .up) == MediaTime(2, 10))
    #expect(try MediaTime(screenSeconds: 0.1, on: tenths, rounding: .down) == MediaTime(1, 10))
    #expect(try MediaTime(screenSeconds: 0.3, on: tenths, rounding: .down) == MediaTime(2, 10))
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 0x1p-64, 0x1p-63, 1e-9])
  func `then the smallest value still rounds up to a tick`(_ value: Double) throws {
    let tick = MediaTime(1, 600)
    #expect(try MediaTime(screenSeconds: value, on: Self.grid, rounding: .up) == tick)
    #expect(try MediaTime(screenSeconds: value, on: Self.grid, rounding: .down) == .zero)
    #expect(try MediaTime(screenSeconds: value, on: Self.grid, rounding: .nearest) == .zero)
    #expect(
      try MediaTime(screenSeconds: -value, on: Self.grid, rounding: .down) == MediaTime(-1, 600))
    #expect(try MediaTime(screenSeconds: -value, on: Self.grid, rounding: .towardZero) == .zero)
  }

  @Test(
    arguments: [
      Rational(1001, 30_000), Rational(1, 90_000), Rational(1, .max), Rational(.max, 3),
      Rational(7),
    ], Rounding.allCases)
  func `then it gets the same tick as the equal fraction`(
    _ tick: Rational, _ rounding: Rounding
  ) throws {
    var generator = SeededGenerator(seed: 11)
    let grid = try TickGrid(secondsPerTick: tick)
    for _ in 0..<2000 {
      let width = Int64.random(in: 0...53, using: &generator)
      let bits = Int64.random(in: -(1 << width)...(1 << width), using: &generator)
      let shift = Int64.random(in: 0...62, using: &generator)
      let exact = MediaTime(bits, 1 << shift)
      let value = Double(bits) / Double(Int64(1) << shift)
      let found = try? MediaTime(screenSeconds: value, on: grid, rounding: rounding)
      let number = try? grid.tick(of: exact, rounding: rounding)
      let expected = number.flatMap { try? grid.time(atTick: $0) }
      #expect(found == expected, "\(value), \(generator)")
    }
  }

  @Test func `then any bit pattern on any grid gives a tick or an error`() throws {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      let tick = generator.rational()
      guard let grid = try? TickGrid(secondsPerTick: tick) else { continue }
      for rounding in Rounding.allCases {
        guard let time = try? MediaTime(screenSeconds: value, on: grid, rounding: rounding) else {
          continue
        }
        #expect(grid.holds(time), "\(value) on \(tick), \(generator)")
      }
    }
  }
}
