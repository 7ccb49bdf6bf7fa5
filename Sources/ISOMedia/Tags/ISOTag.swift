package import ExactTime

/// One metadata entry: text as stored in the file, never to be printed unescaped.
package struct ISOTag: Hashable, Sendable {
  /// FFmpeg's name where it has one (`title`, `encoder`), else the file's own.
  package var key: String
  package var value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// A picture in the metadata; its bytes stay in the file.
package struct ISOCoverArt: Hashable, Sendable {
  package var format: Format
  /// The offset of the `covr` box that contains it.
  package var boxOffset: Int64
  package var byteOffset: Int64
  package var byteCount: Int

  package enum Format: String, Hashable, Sendable {
    case jpeg, png, bmp, gif, unknown
  }
}

/// A named stretch of the movie's timeline.
package struct ISOChapter: Hashable, Sendable {
  package var title: String?
  package var start: MediaTime
  /// `nil` where the file states none: it ends at the next chapter or the end of the file.
  package var end: MediaTime?
}
