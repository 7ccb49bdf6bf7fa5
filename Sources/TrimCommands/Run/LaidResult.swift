package import ExactTime
package import MediaEngine
package import Trimming

/// A result that is laid out and not written.
package struct LaidResult: Sendable {
  package var pieces: [CutLayout.Piece]
  package var frames: FrameInstants
  /// How long it is.
  package var end: MediaTime
  package var seams: [MediaTime]
  /// What has encoded its edges, and has them still; `nil` where it cannot be kept.
  package var film: (any CuttableFilm & Sendable)?
  /// What its other pieces stand in.
  package let source: InputFile
  /// What its made pieces lie in, for as long as somebody reads them.
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
