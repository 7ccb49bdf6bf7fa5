import ExactTime

extension EditList: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, sources, parts, markers, rate
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`, also for another version, and for a part or marker of a source that
  ///   the list does not have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "version \(version) of an edit list; only \(Self.version) is known")
    }
    let sources = try container.decode([Source].self, forKey: .sources)
    let parts = try container.decode([Part].self, forKey: .parts)
    let markers = try container.decodeIfPresent([Marker].self, forKey: .markers) ?? []
    for (key, used) in [(CodingKeys.parts, parts.map(\.source)), (.markers, markers.map(\.source))]
    {
      guard let wrong = used.firstIndex(where: { !sources.indices.contains($0) }) else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription:
          "\(key.stringValue)[\(wrong)] is of source \(used[wrong]) of \(sources.count)")
    }
    let rate = try container.decodeIfPresent(Rational.self, forKey: .rate)
    if let rate, !rate.isPositive {
      throw DecodingError.dataCorruptedError(
        forKey: .rate, in: container, debugDescription: "the rate \(rate) is not positive")
    }
    self.init(sources: sources, parts: parts, markers: markers, rate: rate)
  }

  /// Writes the list with its version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(sources, forKey: .sources)
    try container.encode(parts, forKey: .parts)
    try container.encode(markers, forKey: .markers)
    try container.encodeIfPresent(rate, forKey: .rate)
  }
}
