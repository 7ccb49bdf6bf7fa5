/// What becomes of the frames of one video track: which are copied, which are encoded anew.
///
/// Packets are named by their place in decode order. Frames of the range are those with
/// IN ≤ PTS < OUT, so a partition of a film neither doubles nor drops one.
///
/// ```
/// source   I . . . I . . . I . . . I
/// range          [ . . . . . . . )
/// output         h h C C C C C C t
/// ```
public struct VideoCut: Hashable, Sendable {
  /// Encoded anew before the copied run, in the order in which they are shown.
  public var head: [Int] = []
  /// What is copied, in decode order, except for ``left``.
  public var copied: Range<Int> = 0..<0
  /// Packets inside ``copied`` that are not: leading pictures of its first keyframe.
  public var left: [Int] = []
  /// Those of ``left`` that are encoded anew at their own place in decode order.
  public var replaced: [Int] = []
  /// Packets inside ``copied`` whose frames lie outside the range, for an edit list to hide.
  public var hidden: [Int] = []
  /// Encoded anew behind the copied run, in the order in which they are shown.
  public var tail: [Int] = []
  /// Packets to decode for the head and the replaced pictures, in decode order.
  public var headSource: Range<Int> = 0..<0
  /// Packets to decode for the tail.
  public var tailSource: Range<Int> = 0..<0
  /// What the bitstream says of the packet the copied run begins with.
  public var entry: Entry = .none
  /// Why not more is copied; `nil` when all that can be is.
  public var reason: Reason?

  public enum Entry: Hashable, Sendable {
    case none
    /// A decoder starts anew: nothing of before matters.
    case closed
    /// Pictures that follow in decode order and are shown before may refer to what came before.
    case open
  }

  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No random-access point lies inside the range.
    case noRandomAccess = "no_random_access_point"
    /// It was asked for.
    case asked = "asked_for"
    /// The codec's bitstream cannot be joined without a break.
    case unjoinable = "cannot_be_joined"
  }

  public init() {}

  /// How many frames lose quality.
  public var encodedCount: Int { head.count + replaced.count + tail.count }
  public var copiedCount: Int { copied.count - left.count }
  /// In the range: what is shown.
  public var shownCount: Int { frameCount - hidden.count }
  public var frameCount: Int { encodedCount + copiedCount }
}
