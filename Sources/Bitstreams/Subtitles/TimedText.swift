/// A timed text sample: a length, text, and boxes with its style (3GPP TS 26.245, 5.17).
package struct TimedText: Hashable, Sendable {
  private var text: [UInt8]
  private var boxes: [UInt8]

  /// Reads a sample: text in UTF-16 begins with a byte order mark, and is converted to UTF-8.
  ///
  /// Boxes count characters, so they are dropped where the text is changed here.
  package init(_ sample: [UInt8]) {
    let length = sample.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    let stored = Array(sample.dropFirst(2).prefix(length))
    switch Array(stored.prefix(2)) {
    case [0xFE, 0xFF]: text = ReadableText.of(utf16: stored.dropFirst(2)) { $0 << 8 | $1 }
    case [0xFF, 0xFE]: text = ReadableText.of(utf16: stored.dropFirst(2)) { $1 << 8 | $0 }
    default: text = ReadableText.of(stored)
    }
    text = ReadableText.of(Array(text.prefix(Int(UInt16.max) - 2)))
    boxes = text == stored ? Array(sample.dropFirst(2 + stored.count)) : []
  }

  /// The text without boxes.
  package var withoutBoxes: TimedText {
    var copy = self
    copy.boxes = []
    return copy
  }

  /// The sample; its text is UTF-8.
  package var bytes: [UInt8] {
    let length = UInt16(clamping: text.count)
    return [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + text + boxes
  }
}

/// Bytes decoded as characters, with the replacement character for invalid ones.
package enum ReadableText {
  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    encoded(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  package static func of(
    utf16 bytes: ArraySlice<UInt8>, _ unit: (UInt16, UInt16) -> UInt16
  ) -> [UInt8] {
    let pairs = zip(
      bytes.enumerated().filter { $0.offset % 2 == 0 },
      bytes.enumerated().filter { $0.offset % 2 == 1 })
    let units = pairs.map { unit(UInt16($0.element), UInt16($1.element)) }
    return encoded(String(decoding: units, as: UTF16.self).unicodeScalars)
  }

  /// U+FFFE is not a character (Unicode, 23.7), and FFmpeg rejects it.
  private static func encoded(_ scalars: String.UnicodeScalarView) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar.value == 0xFFFE ? "\u{FFFD}" : scalar) }
    return Array(String(text).utf8)
  }
}
