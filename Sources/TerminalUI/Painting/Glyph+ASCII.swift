extension Glyph {
  /// The replacement for this glyph where only ASCII can be shown, with the same width.
  var asciiBytes: [UInt8] {
    if let ascii = character.asciiValue { return [ascii] }
    if columns == 2 { return [0x3F, 0x3F] }
    return [Self.substitutes[character] ?? 0x3F]
  }

  private static let substitutes: [Character: UInt8] = {
    let rows: [(characters: String, ascii: Character)] = [
      ("─━╌┄", "-"), ("│┃║", "|"), ("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
      ("╞", "["), ("╡", "]"), ("╪█▓◆●■", "#"), ("▒░▄▀▆▇", "="), ("▁▂▃", "_"), ("▅═", "="),
      ("·…•", "."), ("‐‑–—−", "-"), ("×", "x"), ("←◀‹", "<"), ("→▶›", ">"), ("↑▲", "^"),
      ("↓▼", "v"), ("‘’", "'"), ("“”", "\""), ("✓", "+"), ("✗", "x"),
    ]
    var table: [Character: UInt8] = [:]
    for (characters, ascii) in rows {
      for character in characters { table[character] = ascii.asciiValue }
    }
    return table
  }()
}
