import ExactTime

/// `{"frames": 1}`, `{"keyframes": -1}` or `{"seconds": "10"}`.
extension NudgeStep: Codable {
  private enum CodingKeys: String, CodingKey { case frames, keyframes, seconds }

  /// Reads the first member it knows of `frames`, `keyframes` and `seconds`.
  ///
  /// - Throws: `DecodingError` where there is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let count = try container.decodeIfPresent(Int.self, forKey: .frames) {
      self = .frames(count)
    } else if let count = try container.decodeIfPresent(Int.self, forKey: .keyframes) {
      self = .keyframes(count)
    } else {
      self = .seconds(try container.decode(Rational.self, forKey: .seconds))
    }
  }

  /// Writes one member, named by the unit of the step.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .frames(let count): try container.encode(count, forKey: .frames)
    case .keyframes(let count): try container.encode(count, forKey: .keyframes)
    case .seconds(let seconds): try container.encode(seconds, forKey: .seconds)
    }
  }
}

/// `{"minimum": "0", "maximum": "121/2", "is_maximum_inclusive": false}`; no maximum, no key.
extension LengthLimit: Codable {
  private enum CodingKeys: String, CodingKey {
    case minimum, maximum
    case isMaximumInclusive = "is_maximum_inclusive"
  }

  /// Reads a limit; without `minimum` it is zero, without `maximum` there is none.
  ///
  /// - Throws: `DecodingError` for lengths that are not exact fractions as text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      minimum: try container.decodeIfPresent(MediaDuration.self, forKey: .minimum) ?? .zero,
      maximum: try container.decodeIfPresent(MediaDuration.self, forKey: .maximum),
      isMaximumInclusive: try container.decodeIfPresent(Bool.self, forKey: .isMaximumInclusive)
        ?? false)
  }

  /// Writes lengths as exact fractions of seconds, and omits an absent maximum.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(minimum, forKey: .minimum)
    try container.encodeIfPresent(maximum, forKey: .maximum)
    try container.encode(isMaximumInclusive, forKey: .isMaximumInclusive)
  }
}

/// `{"verdict": "too_long", "by": "1/10"}`.
extension LengthVerdict: Codable {
  private enum CodingKeys: String, CodingKey { case verdict, by }

  /// Reads a verdict and, if present, the distance from the limit.
  ///
  /// - Throws: `DecodingError` for an unknown verdict.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let distance = try container.decodeIfPresent(MediaDuration.self, forKey: .by)
    switch try container.decode(String.self, forKey: .verdict) {
    case "valid": self = .valid
    case "too_long": self = .tooLong(by: distance)
    case "too_short": self = .tooShort(by: distance)
    case "empty": self = .empty
    case let other: throw unknown(other, forKey: CodingKeys.verdict, in: container)
    }
  }

  /// Writes the verdict and, if known, the distance from the limit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .valid: try container.encode("valid", forKey: .verdict)
    case .empty: try container.encode("empty", forKey: .verdict)
    case .tooLong(let distance):
      try container.encode("too_long", forKey: .verdict)
      try container.encodeIfPresent(distance, forKey: .by)
    case .tooShort(let distance):
      try container.encode("too_short", forKey: .verdict)
      try container.encodeIfPresent(distance, forKey: .by)
    }
  }
}

/// `{"phase": "failed", "failure": {"message": …, "hint": …}}`.
extension Phase: Codable {
  private enum CodingKeys: String, CodingKey { case phase, failure }

  /// Reads a phase, with the failure where it failed.
  ///
  /// - Throws: `DecodingError` for an unknown phase.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .phase) {
    case "loading": self = .loading
    case "ready": self = .ready
    case "failed": self = .failed(try container.decode(VideoFailure.self, forKey: .failure))
    case let other: throw unknown(other, forKey: CodingKeys.phase, in: container)
    }
  }

  /// Writes the phase, with the failure where it failed.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .loading: try container.encode("loading", forKey: .phase)
    case .ready: try container.encode("ready", forKey: .phase)
    case .failed(let failure):
      try container.encode("failed", forKey: .phase)
      try container.encode(failure, forKey: .failure)
    }
  }
}

/// `{"state": "exporting", "id": 1, "fraction": "2/5"}`.
extension ExportState: Codable {
  private enum CodingKeys: String, CodingKey { case state, id, fraction }

  /// Reads a state with its fields.
  ///
  /// - Throws: `DecodingError` for an unknown state.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .state) {
    case "idle": self = .idle
    case "exporting":
      self = .exporting(
        id: try container.decode(Int.self, forKey: .id),
        fraction: try container.decode(Rational.self, forKey: .fraction))
    case "cancelling": self = .cancelling(id: try container.decode(Int.self, forKey: .id))
    case let other: throw unknown(other, forKey: CodingKeys.state, in: container)
    }
  }

  /// Writes the state, with the export's number and progress if there is an export.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .idle: try container.encode("idle", forKey: .state)
    case .exporting(let id, let fraction):
      try container.encode("exporting", forKey: .state)
      try container.encode(id, forKey: .id)
      try container.encode(fraction, forKey: .fraction)
    case .cancelling(let id):
      try container.encode("cancelling", forKey: .state)
      try container.encode(id, forKey: .id)
    }
  }
}

/// `{"visit": "first"}`, `"visited_before"` or `"unavailable"` with a reason.
extension FirstVisit: Codable {
  private enum CodingKeys: String, CodingKey { case visit, reason }

  /// Reads an answer, with the reason where the flag is unavailable.
  ///
  /// - Throws: `DecodingError` for an unknown answer.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .visit) {
    case "first": self = .first
    case "visited_before": self = .visitedBefore
    case "unavailable":
      self = .unavailable(reason: try container.decode(String.self, forKey: .reason))
    case let other: throw unknown(other, forKey: CodingKeys.visit, in: container)
    }
  }

  /// Writes the answer, with the reason where the flag is unavailable.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .first: try container.encode("first", forKey: .visit)
    case .visitedBefore: try container.encode("visited_before", forKey: .visit)
    case .unavailable(let reason):
      try container.encode("unavailable", forKey: .visit)
      try container.encode(reason, forKey: .reason)
    }
  }
}

/// `{"name": "range_changed", "parameters": [{"key": "from", "time": "10"}, …]}`.
extension LogEvent: Codable {
  private enum CodingKeys: String, CodingKey { case name, parameters }

  /// Reads a name and its parameters.
  ///
  /// - Throws: `DecodingError` for an unknown name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Name.self, forKey: .name),
      try container.decode([Parameter].self, forKey: .parameters))
  }

  /// Writes the name and all parameters, in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(parameters, forKey: .parameters)
  }
}

extension LogEvent.Name: Codable {}

extension LogEvent.Parameter: Codable {
  private enum CodingKeys: String, CodingKey { case key, time, length, count, flag, text }

  /// Reads a key and one value, keyed by its kind.
  ///
  /// - Throws: `DecodingError` if there is no value of a known kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let value: LogEvent.Value
    if let time = try container.decodeIfPresent(MediaTime.self, forKey: .time) {
      value = .time(time)
    } else if let length = try container.decodeIfPresent(MediaDuration.self, forKey: .length) {
      value = .length(length)
    } else if let count = try container.decodeIfPresent(Int.self, forKey: .count) {
      value = .count(count)
    } else if let flag = try container.decodeIfPresent(Bool.self, forKey: .flag) {
      value = .flag(flag)
    } else {
      value = .text(try container.decode(String.self, forKey: .text))
    }
    self.init(try container.decode(String.self, forKey: .key), value)
  }

  /// Writes the key and the value, keyed by its kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key, forKey: .key)
    switch value {
    case .time(let time): try container.encode(time, forKey: .time)
    case .length(let length): try container.encode(length, forKey: .length)
    case .count(let count): try container.encode(count, forKey: .count)
    case .flag(let flag): try container.encode(flag, forKey: .flag)
    case .text(let text): try container.encode(text, forKey: .text)
    }
  }
}

extension ExactTimeError {
  private static let names: [(error: ExactTimeError, name: String)] = [
    (.overflow, "overflow"), (.zeroDenominator, "zero_denominator"),
    (.notPositive, "not_positive"), (.notFinite, "not_finite"),
  ]

  var wireName: String { Self.names.first { $0.error == self }?.name ?? "not_finite" }

  /// Creates an error from its wire name; an unknown name means ``ExactTimeError/notFinite``.
  init(wireName: String) {
    self = Self.names.first { $0.name == wireName }?.error ?? .notFinite
  }
}

private func unknown<Key: CodingKey>(
  _ value: String, forKey key: Key, in container: KeyedDecodingContainer<Key>
) -> DecodingError {
  DecodingError.dataCorruptedError(
    forKey: key, in: container, debugDescription: "\(value) is not a known value")
}
