/// A sample of timed text: a length, text, and boxes that say how it looks (3GPP TS 26.245, 5.17).
package struct TimedText: Hashable, Sendable {
  private var text: [UInt8]
  private var boxes: [UInt8]

  /// Reads what is there: text in UTF-16 begins with a byte order mark, and becomes UTF-8.
  ///
  /// Boxes count characters, so that those of text that is changed here are left out.
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

  /// The text alone.
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

/// Bytes that stand for characters, with the replacement character for those that stand for none.
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

  /// U+FFFE is no character (Unicode, 23.7), and refused by FFmpeg.
  private static func encoded(_ scalars: String.UnicodeScalarView) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar.value == 0xFFFE ? "\u{FFFD}" : scalar) }
    return Array(String(text).utf8)
  }
}
