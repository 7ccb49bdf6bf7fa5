import ExactTime
import Isolation
import Synchronization
import Trimming

/// The audio levels of a whole file, computed once: any range that a page shows is taken from them.
final class StudioLevels: Sendable {
  private let media: MediaPictures
  private let bounds: MediaTimeRange
  private let whole = Mutex<[UInt8]?>(nil)

  /// The number of levels per second, and the maximum for a whole file.
  private static let density: Int64 = 100
  private static let most: Int64 = 1_000_000

  init(_ media: MediaPictures, bounds: MediaTimeRange) {
    self.media = media
    self.bounds = bounds
  }

  /// The loudest level in each of a number of equal parts.
  ///
  /// Blocking. A part shorter than the known resolution has the level of the enclosing interval.
  func levels(in range: MediaTimeRange, _ count: Int) throws -> [UInt8] {
    let known = try known()
    let scale = try Rational(Int64(known.count)).divided(by: bounds.checkedLength().seconds)
    let length = try range.checkedLength()
    return try (0..<count).map { part in
      let share = try Rational(checked: Int128(part), over: Int128(count))
      let next = try Rational(checked: Int128(part + 1), over: Int128(count))
      let first = try place(range.start.advanced(by: length.scaled(by: share)), scale, .down)
      let last = try place(range.start.advanced(by: length.scaled(by: next)), scale, .up)
      let begin = min(max(0, first), known.count)
      return known[begin..<max(begin, min(last, known.count))].max() ?? 0
    }
  }

  private func place(_ time: MediaTime, _ scale: Rational, _ rounding: Rounding) throws -> Int {
    let place = try time.distance(from: bounds.start).seconds.multiplied(by: scale)
    return min(Int(try place.rounded(rounding)), Int(Self.most))
  }

  private func known() throws -> [UInt8] {
    try whole.withLock { whole in
      if let whole { return whole }
      let wanted = try bounds.checkedLength().seconds.multiplied(by: Rational(Self.density))
      let count = min(max(1, try wanted.rounded(.up)), Self.most)
      let made = try media.levels(bounds, Int(count)).map { level in
        UInt8((min(max(level, 0), 1) * 255).rounded())
      }
      whole = made
      return made
    }
  }
}
