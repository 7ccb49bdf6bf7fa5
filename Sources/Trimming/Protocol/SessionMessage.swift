/// One message between a trimming session and a front end in another process or language.
///
/// `{"version": 1, "input": {…}}` goes to the session; `{"version": 1, "event": {…}}` and
/// `{"version": 1, "screen": {…}}` come from it. Times are exact fractions of seconds as text, such
/// as `"121/2"`. New keys, types and values may be added within a version: a reader ignores what it
/// does not know. Documentation/Session-Protocol.md lists them all.
public struct SessionMessage: Hashable, Sendable, Codable {
  /// What a message carries: an input to the session, or an event or screen from it.
  public enum Content: Hashable, Sendable {
    /// To the session: something happened.
    indirect case input(SessionInput)
    /// From the session: the events that subscribers receive, all of them in order.
    case event(SessionEvent)
    /// From the session: what to draw, of which only the newest counts.
    indirect case screen(TrimmingScreen)
  }

  /// The version that this library writes, and the newest that it reads.
  public static let newestVersion = 1

  /// The version of the message; 1 in all messages so far.
  public var version: Int
  /// The input, the event or the screen.
  public var content: Content

  /// Creates a message in the newest version.
  public init(_ content: Content) {
    version = Self.newestVersion
    self.content = content
  }

  private enum CodingKeys: String, CodingKey { case version, input, event, screen }

  /// Reads a message of this version or an older one.
  ///
  /// - Throws: `DecodingError` for a newer version, and for content that is not understood.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    guard (1...Self.newestVersion).contains(version) else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription:
          "version \(version) is not supported; the newest is \(Self.newestVersion)"
      )
    }
    if let input = try container.decodeIfPresent(SessionInput.self, forKey: .input) {
      content = .input(input)
    } else if let event = try container.decodeIfPresent(SessionEvent.self, forKey: .event) {
      content = .event(event)
    } else {
      content = .screen(try container.decode(TrimmingScreen.self, forKey: .screen))
    }
  }

  /// Writes the version and one member: `input`, `event` or `screen`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    switch content {
    case .input(let input): try container.encode(input, forKey: .input)
    case .event(let event): try container.encode(event, forKey: .event)
    case .screen(let screen): try container.encode(screen, forKey: .screen)
    }
  }
}
