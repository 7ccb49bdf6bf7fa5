import SafeText

/// One word of the command line: bytes, because a file name need not be valid text.
package struct ArgumentText: Hashable, Sendable, ExpressibleByStringLiteral {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }
  package init(stringLiteral value: String) { self.init(value) }

  /// The text, if the bytes are valid UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// A form that is safe to print in a message, and not too long for one.
  package var shown: String {
    let most = 100
    return ForeignText.shown(bytes.prefix(4 * most), asciiOnly: true)
      .cut(toCells: most, ellipsis: "...")
  }

  package var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}
