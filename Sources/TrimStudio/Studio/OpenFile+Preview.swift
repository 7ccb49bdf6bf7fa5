import ExactTime
import Trimming

extension OpenFile {
  /// Makes the cut of what is chosen now: all parts where they are joined, else the selected one.
  ///
  /// The one before is let go of.
  ///
  /// - Throws: `VideoFailure`.
  func makePreview() async throws -> StudioPreview {
    let list = presenter.session.list
    let ranges = list.joins ? list.parts.map(\.range) : [presenter.timeRange]
    let made = try await file.cutting.preview(ranges, presenter.session.limit)
    preview = made
    guard let bounds = MediaTimeRange(from: .zero, to: made.end) else {
      throw VideoFailure("The result is empty.")
    }
    return StudioPreview(
      facts: made.facts, frames: made.frames, bounds: bounds, seams: made.seams,
      media: made.media.type)
  }
}
