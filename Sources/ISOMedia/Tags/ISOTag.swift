public import ExactTime

/// One metadata entry: text as the file holds it, never to be printed unescaped.
public struct ISOTag: Hashable, Sendable {
  /// FFmpeg's name where it has one (`title`, `encoder`), else the file's own.
  public var key: String
  public var value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// A picture in the metadata; its bytes stay in the file.
public struct ISOCoverArt: Hashable, Sendable {
  public var format: Format
  public var byteOffset: Int64
  public var byteCount: Int

  public enum Format: String, Hashable, Sendable {
    case jpeg, png, bmp, gif, unknown
  }
}

/// A named stretch of the movie's timeline.
public struct ISOChapter: Hashable, Sendable {
  public var title: String?
  public var start: MediaTime
  /// `nil` where the file states none: the next chapter or the film's end ends it.
  public var end: MediaTime?
}
