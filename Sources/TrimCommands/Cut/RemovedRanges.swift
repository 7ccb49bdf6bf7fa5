import EditLists
import ExactTime

/// What is left of the parts of a cut when ranges are removed from them.
struct RemovedRanges: Equatable {
  /// What is written, in order.
  private(set) var kept: [MediaTimeRange] = []
  /// What is left between removals but not written, since no frame begins in it.
  private(set) var frameless: [MediaTimeRange] = []

  /// - Parameters:
  ///   - removed: in any order; they may overlap.
  ///   - parts: in the order in which they are written, within the file.
  ///   - frames: when the frames begin that are written; `nil` for sound alone, of which any length
  ///     can be kept.
  init(
    _ removed: [MediaTimeRange], from parts: [MediaTimeRange], frames: FrameStarts?
  ) throws(TimeResolutionError) {
    let whole = EditList(parts: parts.map { EditList.Part($0) })
    for rest in whole.removing(RangeSet(removed)).parts.map(\.range) {
      // What loses nothing stays as it was asked for.
      let begins = try Self.begins(in: rest, frames)
      if begins || parts.contains(rest) { kept.append(rest) } else { frameless.append(rest) }
    }
  }

  private static func begins(
    in range: MediaTimeRange, _ frames: FrameStarts?
  ) throws(TimeResolutionError) -> Bool {
    guard let frames else { return true }
    let number = try frames.frame(atOrAfter: range.start)
    if let count = frames.count, number >= count { return false }
    return try frames.start(ofFrame: number) < range.end
  }
}
