package import ExactTime
package import MediaEngine
package import Trimming

/// A result that is laid out but not written.
package struct LaidResult: Sendable {
  package var pieces: [CutLayout.Piece]
  package var frames: FrameInstants
  /// Where it ends, from zero.
  package var end: MediaTime
  package var seams: [MediaTime]
  /// The open file that still holds its encoded edges; `nil` where it cannot be kept.
  package var media: (any Cuttable & Sendable)?
  /// The source that holds its copied pieces.
  package let source: InputFile
  /// The file that holds its newly written pieces, as long as it is being read.
  package let made: PendingFile

  package init(
    frames: FrameInstants, end: MediaTime, seams: [MediaTime], pieces: [CutLayout.Piece],
    of source: InputFile, made: PendingFile
  ) {
    self.frames = frames
    self.end = end
    self.seams = seams
    self.pieces = pieces
    self.source = source
    self.made = made
  }

  package var byteCount: Int64 { pieces.reduce(0) { $0 + $1.count } }
}
