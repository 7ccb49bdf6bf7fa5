public import ExactTime
import Glibc
import MediaFacts
public import MediaFiles
public import Rendering
public import Trimming

/// The frames of a cut that has no file name yet.
///
/// The cut is actually made, so the preview shows what would be written, seams included. Its file
/// is deleted with the last reader of ``track``.
public final class CutPreview: Sendable {
  /// The plan that was executed, as by ``OpenedFile/cut(_:to:replaces:keepsFailed:progress:)``.
  public let plan: CutPlan
  /// The video of the result, on its own timeline.
  public let track: PictureTrack
  /// Where re-encoded frames meet copied ones, on the source's timeline.
  public let seams: [MediaTime]
  private let file: InputFile
  /// The first picture on both timelines.
  private let first: (source: MediaTime, result: MediaTime)

  fileprivate init(_ plan: CutPlan, _ track: PictureTrack, _ file: InputFile) throws(MediaError) {
    guard let pictures = plan.tracks.first(where: { $0.kind == .video && $0.source != nil }),
      let source = pictures.source
    else { throw MediaError(.noPicture, "the result has no video") }
    self.plan = plan
    self.track = track
    self.file = file
    let first = (source: source.start, result: track.frame(number: 0).start)
    self.first = first
    seams = pictures.seams
  }

  /// A file descriptor of the result, which the caller must close.
  ///
  /// - Throws: ``MediaError`` where the process has no descriptor left.
  public func openResult() throws(MediaError) -> Int32 {
    let copy = fcntl(file.descriptorToHandOver, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw MediaError(writing: errno) }
    return copy
  }

  /// When the result shows what the source shows at an instant.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for an instant outside 64 bits.
  public func time(ofSource time: MediaTime) throws(ExactTimeError) -> MediaTime {
    try first.result.advanced(by: time.distance(from: first.source))
  }
}

extension OpenedFile {
  /// Makes a preview of a cut.
  ///
  /// - Parameter path: where the cut itself would go: that disk must have room.
  /// - Throws: ``MediaError``, as the cut would.
  public func preview(
    _ plan: CutPlan, beside path: [UInt8],
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutPreview {
    let pending = try PendingFile(
      at: path, replacing: true, sparing: [source.file.fileIdentity])
    let report = try write(plan, to: pending, isProven: false, progress: progress)
    try source.file.checkUnchanged()
    let copy = fcntl(pending.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw MediaError(writing: errno) }
    let file = try InputFile(descriptor: copy, isOwned: true, isSeekable: true)
    return try CutPreview(report.plan, PictureTrack(file, limits: limits), file)
  }
}
