/// A list as it is before its format is known: lines, or a document of a language that nests.
enum ListContent {
  case lines(ListText)
  case json(JSONNode)
  case markup(MarkupElement)

  /// More than a day of film at every frame needs, in any format.
  static let longest = 512 << 20

  /// - Throws: ``ListError`` for text that is not UTF-8 or not well-formed, with the line.
  init(_ bytes: [UInt8]) throws(ListError) {
    guard bytes.count <= Self.longest else { throw ListError(.list, "it is too long for a list") }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let text = bytes[(hasMark ? 3 : 0)...]
    let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
    let next = text[start...].dropFirst().first { !Self.isSpace($0) }
    switch text[start...].first {
    case UInt8(ascii: "<"):
      try ListText.validate(text)
      self = .markup(try MarkupReader.read(text))
    case UInt8(ascii: "{"), UInt8(ascii: "/"),
      // Sections of other formats begin with a bracket and a letter.
      UInt8(ascii: "[") where next.map(Self.beginsElement) ?? true:
      try ListText.validate(text)
      self = .json(try JSONTreeReader.read(text))
    default: self = .lines(try ListText(bytes))
    }
  }

  /// Why it is not of a format of another kind.
  func refusal(of format: String) -> ListError {
    let kind =
      switch self {
      case .lines: "plain text"
      case .json: "JSON"
      case .markup(let root): "XML of <\(ListText.Line.shown(root.name[...]))>"
      }
    return ListError(.list, "it is \(kind), and not \(format)")
  }

  private static func beginsElement(_ byte: UInt8) -> Bool {
    "[]{\"'-0123456789/".utf8.contains(byte)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
