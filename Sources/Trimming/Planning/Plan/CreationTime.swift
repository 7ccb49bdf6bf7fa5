/// The creation time of a file, and that of a cut from it.
public struct CreationTime: Sendable, Hashable, Codable {
  /// Where the source states it: `com.apple.quicktime.creationdate`, or `creation_time` for that of the
  /// header.
  public var field: String
  /// As the source states it (ISO 8601).
  public var source: String
  /// As the cut states it: later by the start of the first part if it is when the source was recorded.
  public var written: String

  /// Whether the cut states another time.
  public var isMoved: Bool { source != written }

  /// Creates an entry with both times in the format of ISO 8601.
  public init(field: String, source: String, written: String) {
    self.field = field
    self.source = source
    self.written = written
  }
}
