public import ExactTime

/// What to cut, and how.
public struct CutRequest: Sendable, Hashable {
  /// The part, counted from the film's first presented sample.
  public var range: MediaTimeRange
  public var mode: CutMode
  public var verification: Verification

  public init(
    range: MediaTimeRange, mode: CutMode = .smart, verification: Verification = .edges
  ) {
    self.range = range
    self.mode = mode
    self.verification = verification
  }

  /// How the written file is proven right before it is published.
  public enum Verification: String, Sendable, Hashable, CaseIterable {
    /// Copied packets by hash, all times, and the edges decoded.
    case edges
    /// Besides, every frame decoded.
    case full
    case none
  }
}

/// How the pictures are cut.
public enum CutMode: String, Sendable, Hashable, CaseIterable {
  /// Whole GOPs are copied, only the edges are encoded anew.
  case smart
  /// Whole GOPs are copied and what lies outside the range is hidden by an edit list.
  case editList = "edit-list"
  /// Nothing is encoded: the ends move to keyframes.
  case copy
  /// Every frame is encoded anew.
  case reencode
}
