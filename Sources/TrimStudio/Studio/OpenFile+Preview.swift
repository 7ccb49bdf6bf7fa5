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
    let parts = list.joins ? list.parts : [list.selected]
    let made = try await file.cutting.preview(
      parts.map(\.range), presenter.session.limit, isWritten)
    let outlook = try await file.cutting.outlook(parts, list.joins)
    guard number == previewCount, let bounds = MediaTimeRange(from: .zero, to: made.end) else {
      throw VideoFailure("This preview was replaced by a newer one.")
    }
    preview = (number, made)
    return StudioPreview(
      number: number, facts: made.facts, frames: made.frames, bounds: bounds, seams: made.seams,
      media: made.media.type, isWritten: made.isWritten, sentence: outlook.sentence)
  }

  /// Ends the preview and releases its unnamed file.
  func endPreview() {
    previewCount += 1
    preview = nil
    file.cutting.endPreview()
  }
}
