/// Text as the boxes store it.
enum Text {
  /// A string whose first byte is its length; `nil` when empty.
  static func pascal(_ view: ByteView) -> String? {
    nonEmpty(view.slice(from: 1, count: Int(view.u8(0))))
  }

  /// UTF-8 up to a zero byte or the end; `nil` when empty.
  static func nonEmpty(_ view: ByteView) -> String? {
    let bytes = view.bytes.prefix { $0 != 0 }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The name of a handler: a C string, or a Pascal one in QuickTime files.
  ///
  /// Some writers put a zero after a Pascal string, so only zeros may follow it.
  static func handlerName(_ view: ByteView) -> String? {
    let length = Int(view.u8(0))
    let isPascal =
      length > 0 && length < view.count
      && view.slice(from: 1 + length).bytes.allSatisfy { $0 == 0 }
      && view.slice(from: 1, count: length).bytes.allSatisfy { $0 != 0 }
    return isPascal ? pascal(view) : nonEmpty(view)
  }

  /// UTF-16 with a byte order mark, or UTF-8 without one.
  static func marked(_ view: ByteView) -> String {
    switch view.u16(0) {
    case 0xFEFF: utf16(view.slice(from: 2), isLittleEndian: false)
    case 0xFFFE: utf16(view.slice(from: 2), isLittleEndian: true)
    default: nonEmpty(view) ?? ""
    }
  }

  static func utf16(_ view: ByteView, isLittleEndian: Bool = false) -> String {
    let units = stride(from: 0, to: view.count & ~1, by: 2).map { offset in
      isLittleEndian ? view.u16(offset).byteSwapped : view.u16(offset)
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// Mac OS Roman, the encoding of QuickTime text with a Macintosh language code.
  static func macRoman(_ view: ByteView) -> String {
    var text = String.UnicodeScalarView()
    for byte in view.bytes.prefix(while: { $0 != 0 }) {
      text.append(byte < 0x80 ? UnicodeScalar(byte) : upperRoman[Int(byte) - 0x80])
    }
    return String(text)
  }

  /// The characters of bytes 0x80 to 0xFF.
  private static let upperRoman = Array(
    ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ"
      + "–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)
}
