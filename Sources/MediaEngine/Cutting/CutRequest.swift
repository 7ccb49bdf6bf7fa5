public import ExactTime

/// What to cut, and how.
public struct CutRequest: Sendable, Hashable {
  /// The parts, each counted from the film's first presented sample; never empty.
  ///
  /// Several are written one behind the other.
  public private(set) var parts: [MediaTimeRange]
  public var mode: CutMode
  public var verification: Verification
  /// What becomes of sound.
  public var audio: SoundMode = .copy
  /// Whether MP4 is written in fragments, each with an index of its own, for streaming.
  public var isFragmented = false

  public init(
    range: MediaTimeRange, mode: CutMode = .smart, verification: Verification = .edges
  ) {
    parts = [range]
    self.mode = mode
    self.verification = verification
  }

  /// Appends a part, which is shown behind those before it, wherever it lies in the film.
  public mutating func join(_ part: MediaTimeRange) { parts.append(part) }

  /// How the written file is proven right before it is published.
  public enum Verification: String, Sendable, Hashable, CaseIterable {
    /// Copied packets by hash, all times, and the edges decoded.
    case edges
    /// Besides, every frame decoded.
    case full
    case none
  }
}

/// How the sound is cut.
public enum SoundMode: String, Sendable, Hashable, CaseIterable {
  /// Packets are copied; lossless sound is coded anew where only that is exact to the sample.
  case copy
  /// All of it is decoded and encoded anew.
  case reencode
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
