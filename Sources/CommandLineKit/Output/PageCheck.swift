import SafeText

/// Checks a page of text that another process has laid out.
package enum PageCheck {
  /// Whether every character of the text is one that ``ForeignText`` allows, and every color is one
  /// of ``Painter``'s and ends before its line does.
  package static func isHarmless(_ page: [UInt8], asciiOnly: Bool, allowsColor: Bool) -> Bool {
    page.split(separator: UInt8(ascii: "\n")).allSatisfy {
      isHarmless(line: $0, asciiOnly: asciiOnly, allowsColor: allowsColor)
    }
  }

  private static func isHarmless(
    line: ArraySlice<UInt8>, asciiOnly: Bool, allowsColor: Bool
  ) -> Bool {
    var rest = line
    var isPainted = false
    while let escape = rest.firstIndex(of: Painter.escape) {
      guard allowsColor, isText(rest[..<escape], asciiOnly: asciiOnly) else { return false }
      rest = rest[escape...]
      let known = isPainted ? [Painter.end] : Painter.starts
      guard let sequence = known.first(where: { rest.starts(with: $0) }) else { return false }
      isPainted.toggle()
      rest = rest.dropFirst(sequence.count)
    }
    return !isPainted && isText(rest, asciiOnly: asciiOnly)
  }

  private static func isText(_ bytes: ArraySlice<UInt8>, asciiOnly: Bool) -> Bool {
    // Most text is plain ASCII.
    bytes.allSatisfy { (0x20...0x7E).contains($0) }
      || ForeignText.shown(bytes, asciiOnly: asciiOnly).utf8.elementsEqual(bytes)
  }
}
