/// The part of a file that a `Range` field asks for (RFC 9110, 14.1.2).
package enum ByteRange: Equatable, Sendable {
  case whole
  case part(Range<UInt64>)
  /// No byte of it is there.
  case unsatisfiable

  /// Several ranges at once, and what is not understood, are answered with the whole file, as the
  /// standard allows.
  package init(_ field: String?, size: UInt64) {
    self = .whole
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else { return }
    let sides = field.dropFirst("bytes=".count)
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else { return }
    switch (UInt64(sides[0]), UInt64(sides[1])) {
    case (nil, let count?) where sides[0].isEmpty:
      self = count == 0 || size == 0 ? .unsatisfiable : .part(size - min(count, size)..<size)
    case (let first?, let last) where last != nil || sides[1].isEmpty:
      guard last.map({ $0 >= first }) ?? true else { return }
      guard first < size else {
        self = .unsatisfiable
        return
      }
      self = .part(first..<min(last ?? size - 1, size - 1) + 1)
    default: return
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension HTTPResponse {
  /// A file, or the part of it that was asked for.
  init(_ media: StudioMedia.Opened, type: String, range: String?) {
    let fields = [(name: "Accept-Ranges", value: "bytes")]
    func body(_ offset: UInt64, _ size: UInt64) -> Body {
      .file(descriptor: media.descriptor, offset: offset, size: size)
    }
    switch ByteRange(range, size: media.size) {
    case .whole: self.init(200, type: type, body(0, media.size), fields: fields)
    case .part(let part):
      let length = part.upperBound - part.lowerBound
      self.init(
        206, type: type, body(part.lowerBound, length),
        fields: fields + [
          (
            "Content-Range",
            "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(media.size)"
          )
        ])
    case .unsatisfiable:
      // The descriptor is closed by the server with the answer that is made of it.
      self.init(
        416, type: nil, body(0, 0), fields: fields + [("Content-Range", "bytes */\(media.size)")])
    }
  }
}
