public import ExactTime

/// A stretch of a file in which something was found.
public struct Finding: Hashable, Sendable, Codable {
  /// What was found.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// All audio is quiet.
    case silence
    /// Hardly anything is lighter than black.
    case black
    /// The picture does not change.
    case still
    /// From one hard cut to the next.
    case scene
  }

  /// What was found.
  public var kind: Kind
  /// Where, on the timeline that was examined: exact to the sample for sound, to the frame for pictures.
  public var range: MediaTimeRange
  /// How sure it is, to be shown.
  ///
  /// For silence, the mean RMS level in dBFS; for black, the largest share of light cells; for a still picture,
  /// the largest difference of a cell, of 255; for a scene, by how many times the change at its beginning
  /// exceeds all changes nearby. `nil` for the first scene, and for digital silence.
  public var score: Double?

  /// Creates a finding.
  public init(_ kind: Kind, _ range: MediaTimeRange, score: Double? = nil) {
    self.kind = kind
    self.range = range
    self.score = score
  }
}
