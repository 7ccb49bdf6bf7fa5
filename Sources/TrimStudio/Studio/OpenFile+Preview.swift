import ExactTime
import Trimming

extension OpenFile {
  /// Makes a preview of the current selection: all parts if they are joined, otherwise the selected
  /// one.
  ///
  /// The previous one is released, and one being made is cancelled.
  ///
  /// - Throws: `VideoFailure`.
  func makePreview(isWritten: Bool) async throws -> StudioPreview {
    endPreview()
    previewCount += 1
    let number = previewCount
    let list = presenter.session.list
    let ranges = list.joins ? list.parts.map(\.range) : [presenter.timeRange]
    let made = try await file.cutting.preview(
      ranges, presenter.session.limit, isWritten)
    guard number == previewCount, let bounds = MediaTimeRange(from: .zero, to: made.end) else {
      throw VideoFailure("This preview was replaced by a newer one.")
    }
    preview = (number, made)
    return StudioPreview(
      number: number, facts: made.facts, frames: made.frames, bounds: bounds, seams: made.seams,
      media: made.media.type, isWritten: made.isWritten)
  }

  /// Ends the preview and releases its unnamed file.
  func endPreview() {
    previewCount += 1
    preview = nil
    file.cutting.endPreview()
  }
}
