internal import CSystem

/// One user-perceived character that a cell can safely show, with the columns it takes.
///
/// Anything that could move the cursor, reorder the text or hide in it (controls, bidirectional
/// marks, invisible characters) becomes `?`, so that untrusted text cannot control the terminal.
package struct Glyph: Hashable, Sendable {
  package let character: Character
  /// 1 or 2.
  package let columns: Int
  /// Whether it is a single scalar: not a letter with marks, nor an emoji sequence.
  let isOneScalar: Bool

  package static let blank = Glyph(unchecked: " ", columns: 1)
  static let unprintable = Glyph(unchecked: "?", columns: 1)

  /// Marks beyond what any language puts on one letter are dropped, so that a cell cannot store
  /// arbitrary data.
  private static let scalarLimit = 12

  package init(_ character: Character) {
    if let ascii = character.asciiValue {
      self = 0x20..<0x7F ~= ascii ? Glyph(unchecked: character, columns: 1) : .unprintable
      return
    }
    var width = 0
    var kept = String.UnicodeScalarView()
    for scalar in character.unicodeScalars.prefix(Self.scalarLimit) {
      guard let columns = Self.columns(of: scalar) else {
        self = .unprintable
        return
      }
      width += columns
      kept.append(scalar)
    }
    guard width > 0 else {
      self = .unprintable
      return
    }
    self.init(unchecked: Character(String(kept)), columns: min(width, 2))
  }

  private init(unchecked character: Character, columns: Int) {
    self.character = character
    self.columns = columns
    isOneScalar = character.unicodeScalars.count == 1
  }

  /// The glyphs of a text; most text is ASCII, which needs no character segmentation.
  static func all(of text: some StringProtocol) -> [Glyph] {
    let text = String(text)
    guard text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return text.map { Glyph($0) } }
    return text.utf8.map { ascii[Int($0) - 0x20] }
  }

  private static let ascii = (UInt8(0x20)..<0x7F).map {
    Glyph(unchecked: Character(Unicode.Scalar($0)), columns: 1)
  }

  /// The C library's width; `nil` for what must not reach a terminal.
  private static func columns(of scalar: Unicode.Scalar) -> Int? {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return nil
    // The joiner holds emoji families together; all other format characters are invisible.
    case .format where scalar != "\u{200D}": return nil
    default: break
    }
    let width = Int(trim_cell_width(scalar.value))
    return width < 0 ? nil : width
  }
}

extension String {
  /// The number of columns this text takes as drawn by ``Canvas``.
  package var columns: Int {
    utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? utf8.count : reduce(0) { $0 + Glyph($1).columns }
  }
}

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
