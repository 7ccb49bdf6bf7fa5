/// Reads XML 1.0 within bounds and without a DTD: of entities there are the five of section 4.6 and
/// numbers of characters, so that nothing is fetched and nothing grows.
struct MarkupReader {
  /// They are compared with each other.
  private static let mostAttributes = 256

  /// More than any list needs.
  static let deepest = 64

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var line = 1
  /// Up to where lines are counted.
  private var counted: Int
  private var open: [MarkupElement] = []

  /// Reads the root element of a document, which is UTF-8.
  ///
  /// - Throws: ``ListError`` with the line.
  static func read(_ bytes: ArraySlice<UInt8>) throws(ListError) -> MarkupElement {
    var reader = MarkupReader(
      bytes: bytes, position: bytes.startIndex, counted: bytes.startIndex)
    return try reader.document()
  }

  private init(bytes: ArraySlice<UInt8>, position: Int, counted: Int) {
    self.bytes = bytes
    self.position = position
    self.counted = counted
  }

  private mutating func failure(_ reason: String) -> ListError {
    ListError(.line(lineHere()), reason)
  }

  /// The line of the current byte; a line ends with LF, CRLF or CR.
  private mutating func lineHere() -> Int {
    while counted < min(position, bytes.endIndex) {
      let isPair = counted + 1 < bytes.endIndex && bytes[counted + 1] == 0x0A
      if bytes[counted] == 0x0A || bytes[counted] == 0x0D && !isPair { line += 1 }
      counted += 1
    }
    return line
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func document() throws(ListError) -> MarkupElement {
    while true {
      let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
      let text = bytes[position..<start]
      if open.isEmpty, !text.allSatisfy(Self.isSpace) {
        throw failure("text is outside of all elements")
      }
      if !open.isEmpty, !text.isEmpty { try append(unescaped(text)) }
      position = start
      guard byte != nil else {
        guard let last = open.last else { throw failure("it has no element") }
        throw failure("it ends in <\(Self.shown(last.name))> of line \(last.line)")
      }
      if try skipsMarkup() { continue }
      if let root = try tag() {
        try trailer()
        return root
      }
    }
  }

  /// What follows the root element says nothing.
  private mutating func trailer() throws(ListError) {
    while true {
      while byte.map(Self.isSpace) == true { position += 1 }
      guard byte != nil else { return }
      guard byte == UInt8(ascii: "<"), try skipsMarkup() else {
        throw failure("more follows the root element")
      }
    }
  }

  private mutating func append(_ text: String) {
    open[open.count - 1].text += text
  }

  /// Skips a comment, an instruction or a document type; true where there was one.
  private mutating func skipsMarkup() throws(ListError) -> Bool {
    if isAt("<!--") {
      try skip(past: "-->", "a comment")
    } else if isAt("<![CDATA[") {
      guard !open.isEmpty else { throw failure("text is outside of all elements") }
      let start = position + 9
      try skip(past: "]]>", "a CDATA section")
      append(String(decoding: bytes[start..<(position - 3)], as: UTF8.self))
    } else if isAt("<?") {
      let start = position
      try skip(past: "?>", "an instruction")
      try refuseEncoding(bytes[start..<position])
    } else if isAt("<!") {
      guard isAt("<!DOCTYPE") else { throw failure("a declaration is where an element should be") }
      let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
      guard !bytes[position..<end].contains(UInt8(ascii: "[")) else {
        throw failure("its document type declares what this reader does not read")
      }
      try skip(past: ">", "a document type")
    } else {
      return false
    }
    return true
  }

  private mutating func skip(past end: String, _ what: String) throws(ListError) {
    let start = position
    while position < bytes.endIndex {
      if isAt(end) {
        position += end.utf8.count
        return
      }
      position += 1
    }
    position = start
    throw failure("\(what) does not end")
  }

  private mutating func refuseEncoding(_ declaration: ArraySlice<UInt8>) throws(ListError) {
    let text = String(decoding: declaration, as: UTF8.self)
    // The three words of a declaration have no spaces around '=' in any file that programs write.
    let words = text.split { " \t\r\n?>".contains($0) }
    guard text.hasPrefix("<?xml "), let word = words.first(where: { $0.hasPrefix("encoding=") })
    else { return }
    let name = word.dropFirst(10).prefix { $0 != "\"" && $0 != "'" }
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) else {
      throw failure("it is said to be \(ListText.Line.shown(name)); save it as UTF-8")
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "_-.:".utf8.contains(byte) || byte >= 0x80
  }

  private static func shown(_ text: String) -> String { ListText.Line.shown(text[...]) }

  private mutating func name() throws(ListError) -> String {
    let start = position
    while let byte, Self.isName(byte) { position += 1 }
    guard position > start else { throw failure("a name is missing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while let byte, Self.isSpace(byte) { position += 1 }
  }

  /// Reads a start or end tag; gives the root where it ends.
  private mutating func tag() throws(ListError) -> MarkupElement? {
    let place = lineHere()
    position += 1
    if byte == UInt8(ascii: "/") {
      position += 1
      let name = try name()
      skipSpace()
      guard byte == UInt8(ascii: ">") else { throw failure("</\(Self.shown(name))> does not end") }
      guard let last = open.last, last.name == name else {
        throw failure("</\(Self.shown(name))> ends no open element")
      }
      position += 1
      return close()
    }
    guard open.count < Self.deepest else {
      throw failure("it nests deeper than \(Self.deepest) levels")
    }
    let name = try name()
    var attributes: [(name: String, value: String)] = []
    while true {
      skipSpace()
      guard let byte else { throw failure("<\(Self.shown(name))> does not end") }
      let isEmpty = byte == UInt8(ascii: "/")
      if isEmpty { position += 1 }
      if isEmpty || byte == UInt8(ascii: ">") {
        guard self.byte == UInt8(ascii: ">") else {
          throw failure("<\(Self.shown(name))> does not end")
        }
        position += 1
        open.append(MarkupElement(name: name, line: place, attributes: attributes))
        return isEmpty ? close() : nil
      }
      let attribute = try attribute()
      guard attributes.count < Self.mostAttributes else {
        throw failure("<\(Self.shown(name))> has more than \(Self.mostAttributes) attributes")
      }
      guard !attributes.contains(where: { $0.name == attribute.name }) else {
        throw failure("<\(Self.shown(name))> has '\(Self.shown(attribute.name))' twice")
      }
      attributes.append(attribute)
    }
  }

  private mutating func attribute() throws(ListError) -> (name: String, value: String) {
    let name = try name()
    skipSpace()
    guard byte == UInt8(ascii: "=") else {
      throw failure("the attribute '\(Self.shown(name))' has no value")
    }
    position += 1
    skipSpace()
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(position + 1)...].firstIndex(of: quote)
    else { throw failure("the value of '\(Self.shown(name))' is not in quotes") }
    let value = bytes[(position + 1)..<end]
    guard !value.contains(UInt8(ascii: "<")) else {
      throw failure("the value of '\(Self.shown(name))' does not end")
    }
    let text = try unescaped(value)
    position = end + 1
    return (name, text)
  }

  private mutating func close() -> MarkupElement? {
    let element = open.removeLast()
    guard !open.isEmpty else { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  /// Text with its entities replaced (XML 1.0, sections 4.1 and 4.6).
  private mutating func unescaped(_ text: ArraySlice<UInt8>) throws(ListError) -> String {
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[..<start], as: UTF8.self)
      // No entity is longer than a character's number.
      guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        throw failure("an '&' begins no entity")
      }
      let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      guard let scalar = Self.entity(name) else {
        throw failure("the entity '&\(Self.shown(name));' is not one of XML's")
      }
      result.unicodeScalars.append(scalar)
      rest = rest[(end + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#"), !name.contains("+"), !name.contains("-") else { return nil }
      let value =
        name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      guard let value, let scalar = Unicode.Scalar(value),
        value >= 0x20 || value == 9 || value == 10
      else { return nil }
      return scalar
    }
  }
}

extension String {
  /// The string as text of an element or a value of an attribute.
  var markup: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
