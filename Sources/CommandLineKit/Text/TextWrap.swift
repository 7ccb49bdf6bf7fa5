/// Breaks text into lines of at most a number of cells, at spaces where possible.
package enum TextWrap {
  /// Returns at least one line; spaces are preserved except at a break, and a word longer than a
  /// line is broken.
  package static func lines(_ text: String, width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var line = ""
    var taken = 0
    for piece in pieces(text) {
      let size = piece.spaces + piece.word.cellWidth
      if taken + size <= width {
        line += String(repeating: " ", count: piece.spaces) + piece.word
        taken += size
        continue
      }
      if !line.isEmpty { lines.append(line) }
      var word = piece.word
      while word.cellWidth > width {
        let head = word.prefix(ofCells: width)
        // A character wider than the line gets a line of its own.
        let part = head.isEmpty ? String(word.unicodeScalars.prefix(1)) : head
        lines.append(part)
        word = String(word.unicodeScalars.dropFirst(part.unicodeScalars.count))
      }
      line = word
      taken = word.cellWidth
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Words with the number of spaces before each; the last word may be empty.
  private static func pieces(_ text: String) -> [(spaces: Int, word: String)] {
    var pieces: [(spaces: Int, word: String)] = []
    var spaces = 0
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      if part.isEmpty {
        spaces += 1
      } else {
        pieces.append((spaces, String(part)))
        spaces = 1
      }
    }
    if spaces > 1 { pieces.append((spaces - 1, "")) }
    return pieces
  }

  /// Wraps a paragraph, keeping its first line's indentation and indenting the others by `hanging`.
  package static func paragraph(_ text: String, width: Int, hanging: Int = 0) -> String {
    let lead = text.prefix { $0 == " " }
    let indent = lead.count + hanging
    // A narrow screen has no room for indentation.
    let usable = width > 2 * indent + 8 ? indent : 0
    let first = usable == 0 ? "" : String(lead)
    let broken = lines(String(text.dropFirst(lead.count)), width: width - usable)
    return broken.enumerated().map { number, line in
      (number == 0 ? first : String(repeating: " ", count: usable)) + line + "\n"
    }.joined()
  }
}
