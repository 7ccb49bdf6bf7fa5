/// One word of the command line: bytes, because a file's name need not be text.
struct ArgumentText: Hashable, Sendable, ExpressibleByStringLiteral {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }
  init(stringLiteral value: String) { self.init(value) }

  /// The text where the bytes are UTF-8.
  var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Safe to print in a message, and not longer than a message should be.
  var shown: String {
    let most = 100
    return ForeignText.shown(bytes.prefix(4 * most), asciiOnly: true)
      .cut(toCells: most, ellipsis: "...")
  }

  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}
