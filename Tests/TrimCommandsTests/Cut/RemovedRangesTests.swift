import ExactTime
import Support
import Testing

@testable import TrimCommands

@Suite struct `Given ranges to remove from parts` {
  /// In seconds, or parts of a second.
  private static func range(_ from: Int64, _ to: Int64, over unit: Int64 = 1) -> MediaTimeRange {
    guard let range = MediaTimeRange(from: MediaTime(from, unit), to: MediaTime(to, unit))
    else { fatalError("\(from) is not before \(to)") }
    return range
  }

  private static func left(
    _ removed: [MediaTimeRange], of parts: [MediaTimeRange], frames: FrameStarts? = nil
  ) throws -> RemovedRanges {
    try RemovedRanges(removed, from: parts, frames: frames)
  }

  @Test func `then what is left comes in order, and removals that overlap are one`() throws {
    let left = try Self.left(
      [Self.range(8, 9), Self.range(2, 4), Self.range(3, 5)], of: [Self.range(1, 10)])
    #expect(left.kept == [Self.range(1, 2), Self.range(5, 8), Self.range(9, 10)])
    #expect(left.frameless.isEmpty)
  }

  @Test func `then each part loses them, in the order of the parts`() throws {
    let left = try Self.left([Self.range(2, 4)], of: [Self.range(3, 6), Self.range(0, 3)])
    #expect(left.kept == [Self.range(4, 6), Self.range(0, 2)])
  }

  @Test func `then a remainder in which no frame begins is listed and not written`() throws {
    // Frames at 0, 1/25, 2/25 …; the remainder from 1.001 up to 1.04 shows what began at 1.
    let frames = try FrameStarts(first: .zero, framesPerSecond: Rational(25), count: 100)
    let rest = Self.range(1001, 1040, over: 1000)
    let removed = [Self.range(0, 1001, over: 1000), Self.range(1040, 2000, over: 1000)]
    let left = try Self.left(removed, of: [Self.range(0, 4)], frames: frames)
    #expect(left.kept == [Self.range(2, 4)])
    #expect(left.frameless == [rest])
    let sound = try Self.left(removed, of: [Self.range(0, 4)])
    #expect(sound.kept == [rest, Self.range(2, 4)])
  }

  @Test func `then a remainder after the last frame is listed, too`() throws {
    let frames = try FrameStarts(first: .zero, framesPerSecond: Rational(25), count: 100)
    let left = try Self.left([Self.range(1, 4)], of: [Self.range(0, 5)], frames: frames)
    #expect(left.kept == [Self.range(0, 1)])
    #expect(left.frameless == [Self.range(4, 5)])
  }

  @Test func `then a part that loses nothing stays as it was asked for`() throws {
    let frames = try FrameStarts(first: .zero, framesPerSecond: Rational(1), count: 100)
    let short = Self.range(25, 28, over: 10)
    let left = try Self.left([Self.range(50, 60)], of: [short], frames: frames)
    #expect(left.kept == [short])
  }
}
