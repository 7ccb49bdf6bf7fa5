public import ExactTime

/// A range of a file in which something was found.
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
    /// The picture fades to black or white, or from it.
    case fade
  }

  /// What was found.
  public var kind: Kind
  /// Where, on the timeline that was examined: exact to the sample for sound, to the frame for pictures.
  public var range: MediaTimeRange
  /// How certain it is, for display.
  ///
  /// For silence, the mean RMS level in dBFS; for black, the largest share of light cells; for a still picture,
  /// the largest difference of a cell, of 255; for a scene, by how many times the change at its beginning
  /// exceeds all changes nearby; for a fade, how linear it is, of 1. `nil` for the first scene, and for digital
  /// silence.
  public var score: Double?
  /// The channel that is silent, from 1; `nil` where all are, and for pictures.
  public var channel: Int?

  /// Creates a finding.
  public init(_ kind: Kind, _ range: MediaTimeRange, score: Double? = nil, channel: Int? = nil) {
    self.kind = kind
    self.range = range
    self.score = score
    self.channel = channel
  }
}

extension Finding {
  private enum CodingKeys: String, CodingKey {
    case kind, range, hundredths, channel
  }

  /// A score is coded in hundredths, as it is shown: it is never a time, and everything else is exact.
  ///
  /// - Throws: `DecodingError`; also for a range that ends before it begins.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    range = try values.decode(MediaTimeRange.self, forKey: .range)
    let hundredths = try values.decodeIfPresent(Int64.self, forKey: .hundredths)
    score = hundredths.map { Double($0) / 100 }
    channel = try values.decodeIfPresent(Int.self, forKey: .channel)
    guard range.start <= range.end else {
      throw DecodingError.dataCorruptedError(
        forKey: .range, in: values, debugDescription: "it ends before it begins")
    }
  }

  /// See ``init(from:)``.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(range, forKey: .range)
    try values.encodeIfPresent(hundredths, forKey: .hundredths)
    try values.encodeIfPresent(channel, forKey: .channel)
  }

  /// The score as it is shown; `nil` if there is none.
  public var hundredths: Int64? {
    score.flatMap { $0.isNaN ? nil : Int64((min(max($0, -1e9), 1e9) * 100).rounded()) }
  }
}
