/// Breaks text into lines of at most a number of cells, at spaces where there are any.
enum TextWrap {
  /// At least one line; a word that is longer than a line is broken.
  static func lines(_ text: String, width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var line = ""
    var taken = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var word = String(word)
      var size = word.cellWidth
      if taken > 0, taken + 1 + size <= width {
        line += " " + word
        taken += 1 + size
        continue
      }
      if taken > 0 { lines.append(line) }
      while size > width {
        let head = word.prefix(ofCells: width)
        // A character wider than the line stands alone.
        let piece = head.isEmpty ? String(word.unicodeScalars.prefix(1)) : head
        lines.append(piece)
        word = String(word.unicodeScalars.dropFirst(piece.unicodeScalars.count))
        size = word.cellWidth
      }
      line = word
      taken = size
    }
    if taken > 0 || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// A paragraph that keeps its first line's indentation and hangs the others by `hanging`.
  static func paragraph(_ text: String, width: Int, hanging: Int = 0) -> String {
    let lead = text.prefix { $0 == " " }
    let indent = lead.count + hanging
    // A narrow screen has no room for indentation.
    let usable = width > 2 * indent + 8 ? indent : 0
    let first = usable == 0 ? "" : String(lead)
    let broken = lines(text, width: width - usable)
    return broken.enumerated().map { number, line in
      (number == 0 ? first : String(repeating: " ", count: usable)) + line + "\n"
    }.joined()
  }
}
