import Support
import Testing
import Trimming

@testable import Cutting
@testable import MediaFiles

/// Tracks that were written to MP4 without their proof.
struct WrittenTracks {
  let path: String
  /// What was written, for the proof to compare.
  var fingerprints: [[UInt64]]
  private let source: ISOCutSource

  init(
    _ tracks: [OutputTrack], of source: any CutSource, _ spool: PayloadSpool, to path: String
  ) throws {
    self.path = path
    self.source = try #require(source.native)
    let pending = try PendingFile(at: Array(path.utf8), replacing: true)
    var boxes = try self.source.readBoxes()
    boxes.tracks = tracks.map { boxes.tracks[$0.source] }
    let writer = ISOFileWriter(
      source: source, boxes: boxes, hasChapterList: false, spool: spool, isFragmented: false,
      isCancelled: { false })
    fingerprints = try writer.write(tracks, chapters: [], to: pending) { _ in true }
    try pending.publish()
  }

  /// Compares the file with a plan.
  func prove(_ planned: [OutputTrack]) throws {
    let proof = CutProof(
      tracks: planned, fingerprints: fingerprints, source: source, container: .mp4, isFull: false,
      limits: .standard, isCancelled: { false })
    try proof.check(InputFile(path: Array(path.utf8)))
  }
}
