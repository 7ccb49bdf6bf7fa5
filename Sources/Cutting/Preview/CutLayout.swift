public import ExactTime

/// Where every byte of a result comes from before it is written.
///
/// What is made, its header and its edges, lies in a file without a name; what is copied stays in the
/// source.
public struct CutLayout: Sendable {
  /// Bytes that lie side by side in the result, and where they lie now.
  public struct Piece: Sendable, Hashable {
    /// In the file without a name; else in the source.
    public var isMade: Bool
    /// Where the first of them lies there.
    public var offset: Int64
    /// How many there are; positive.
    public var count: Int64

    /// Creates a piece.
    public init(isMade: Bool, offset: Int64, count: Int64) {
      self.isMade = isMade
      self.offset = offset
      self.count = count
    }
  }

  /// The whole result, without a gap.
  public internal(set) var pieces: [Piece] = []
  /// When each frame of its video is shown, on its own timeline; empty without video.
  public internal(set) var frames: [MediaTime] = []
  /// How long it is presented.
  public internal(set) var length: MediaDuration
  /// Where re-encoded frames meet copied ones, on its own timeline.
  public internal(set) var seams: [MediaTime] = []

  /// Adds bytes, which join the piece before where they lie behind it.
  mutating func append(isMade: Bool, offset: Int64, count: Int64) {
    guard count > 0 else { return }
    if let last = pieces.last, last.isMade == isMade, last.offset + last.count == offset {
      pieces[pieces.count - 1].count += count
    } else {
      pieces.append(Piece(isMade: isMade, offset: offset, count: count))
    }
  }
}
