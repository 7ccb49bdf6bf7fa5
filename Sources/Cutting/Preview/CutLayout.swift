public import ExactTime

/// Where every byte of a result comes from before it is written.
///
/// Generated data, the header and the edges, is in an unnamed file; copied data stays in the
/// source.
public struct CutLayout: Sendable {
  /// Contiguous bytes of the result, and where they are now.
  public struct Piece: Sendable, Hashable {
    /// Whether they are in the unnamed file; otherwise in the source.
    public var isMade: Bool
    /// The offset of the first byte there.
    public var offset: Int64
    /// The number of bytes; positive.
    public var count: Int64

    /// Creates a piece.
    public init(isMade: Bool, offset: Int64, count: Int64) {
      self.isMade = isMade
      self.offset = offset
      self.count = count
    }
  }

  /// The pieces of the whole result, without gaps.
  public internal(set) var pieces: [Piece] = []
  /// When each frame of its video is shown, on its own timeline; empty without video.
  public internal(set) var frames: [MediaTime] = []
  /// The presentation duration.
  public internal(set) var length: MediaDuration
  /// Where re-encoded frames meet copied ones, on its own timeline.
  public internal(set) var seams: [MediaTime] = []

  /// Adds bytes, extending the previous piece if they directly follow it.
  mutating func append(isMade: Bool, offset: Int64, count: Int64) {
    guard count > 0 else { return }
    if let last = pieces.last, last.isMade == isMade, last.offset + last.count == offset {
      pieces[pieces.count - 1].count += count
    } else {
      pieces.append(Piece(isMade: isMade, offset: offset, count: count))
    }
  }
}
