import ExactTime

/// `{"screen": "ready", "location": …, "time_range": …, …}`.
extension TrimmingScreen: Codable {
  private enum CodingKeys: String, CodingKey { case screen }

  /// Reads the screen that its member `screen` names.
  ///
  /// - Throws: `DecodingError` for an unknown screen.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .screen) {
    case "loading": self = .loading(try Loading(from: decoder))
    case "ready": self = .ready(try Ready(from: decoder))
    case "failed": self = .failed(try Failed(from: decoder))
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .screen, in: container, debugDescription: "\(other) is not a known screen")
    }
  }

  /// Writes the screen's name and everything it shows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .loading(let loading):
      try container.encode("loading", forKey: .screen)
      try loading.encode(to: encoder)
    case .ready(let ready):
      try container.encode("ready", forKey: .screen)
      try ready.encode(to: encoder)
    case .failed(let failed):
      try container.encode("failed", forKey: .screen)
      try failed.encode(to: encoder)
    }
  }
}
