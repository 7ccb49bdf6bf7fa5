/// Reads JSON (RFC 8259), and what JSON5 adds to it (JSON5 1.0.0), within bounds.
///
/// Refused are what two readers could take differently: members of one name, halves of surrogate pairs,
/// text after the value; and nesting beyond ``deepest``. Python's `NaN` and `Infinity` are numbers, which
/// no list can use as times. What only JSON5 has is read, and its first use remembered, so that a format
/// of plain JSON can refuse it.
struct JSONTreeReader {
  /// More than any list needs: OpenTimelineIO's metadata nests deepest.
  static let deepest = 64

  private enum Step {
    case member(String)
    case element(Int)
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var steps: [Step] = []
  /// Each takes many times its text in memory.
  private var values = 0
  private static let mostValues = 20_000_000
  private var extension5: ListError?

  /// Reads one value that spans the whole text, which is UTF-8.
  ///
  /// - Throws: ``ListError`` with the line, and the path of the value that it was reading.
  static func read(_ bytes: ArraySlice<UInt8>) throws(ListError) -> JSONNode {
    var reader = JSONTreeReader(bytes: bytes, position: bytes.startIndex)
    let tree = try reader.value()
    try reader.skipSpace()
    guard reader.position == bytes.endIndex else { throw reader.failure("text follows the value") }
    return JSONNode(tree, extension5: reader.extension5)
  }

  private init(bytes: ArraySlice<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  private func failure(_ reason: String) -> ListError {
    var path = JSONPath.root
    for step in steps {
      switch step {
      case .member(let key): path = .member(path, key)
      case .element(let index): path = .element(path, index)
      }
    }
    return ListError(.line(line), "\(path): \(reason)")
  }

  /// Counted from 1; a line ends with LF, CRLF or CR.
  private var line: Int {
    var count = 1
    for index in bytes.startIndex..<min(position, bytes.endIndex)
    where bytes[index] == 0x0A
      || bytes[index] == 0x0D && !(index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A)
    {
      count += 1
    }
    return count
  }

  /// What the reader found in place of what it needs.
  private func unexpected(_ wanted: String) -> ListError {
    guard let byte else { return failure("it ends where \(wanted) should be") }
    let character = ListText.Line.shown(
      String(decoding: bytes[position...].prefix(byte < 0x80 ? 1 : 4), as: UTF8.self).prefix(1))
    return failure("'\(character)' is where \(wanted) should be")
  }

  /// Remembers the first use of what only JSON5 has.
  private mutating func needs5(_ what: String) {
    if extension5 == nil { extension5 = failure("\(what) JSON does not have") }
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() throws(ListError) {
    while let byte {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case 0x0B, 0x0C:
        needs5("this white space")
        position += 1
      case UInt8(ascii: "/"): try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(ListError) {
    let next = position + 1 < bytes.endIndex ? bytes[position + 1] : 0
    guard next == UInt8(ascii: "/") || next == UInt8(ascii: "*") else {
      throw unexpected("a value")
    }
    needs5("comments")
    if next == UInt8(ascii: "/") {
      position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      return
    }
    let start = position
    position += 2
    while position + 1 < bytes.endIndex {
      if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
    position = start
    throw failure("a comment does not end")
  }

  private mutating func value() throws(ListError) -> JSONTree {
    values += 1
    guard values <= Self.mostValues else {
      throw failure("it has more than \(Self.mostValues) values")
    }
    try skipSpace()
    guard let byte else { throw unexpected("a value") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "'"):
      needs5("single quotes")
      return .string(try string())
    default: return try word()
    }
  }

  private mutating func enter() throws(ListError) {
    guard steps.count < Self.deepest else {
      throw failure("it nests deeper than \(Self.deepest) levels")
    }
    position += 1
  }

  private mutating func object() throws(ListError) -> JSONTree {
    try enter()
    var members: [(key: String, value: JSONTree)] = []
    var names: Set<String> = []
    while true {
      try skipSpace()
      if take("}") {
        if !members.isEmpty { needs5("trailing commas") }
        return .object(members)
      }
      let key = try key()
      guard names.insert(key).inserted else {
        throw failure("it has '\(ListText.Line.shown(key[...]))' twice")
      }
      try skipSpace()
      guard take(":") else { throw unexpected("':'") }
      steps.append(.member(key))
      members.append((key, try value()))
      steps.removeLast()
      try skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw unexpected("',' or '}'") }
    }
  }

  private mutating func array() throws(ListError) -> JSONTree {
    try enter()
    var elements: [JSONTree] = []
    while true {
      try skipSpace()
      if take("]") {
        if !elements.isEmpty { needs5("trailing commas") }
        return .array(elements)
      }
      steps.append(.element(elements.count))
      elements.append(try value())
      steps.removeLast()
      try skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw unexpected("',' or ']'") }
    }
  }

  private mutating func key() throws(ListError) -> String {
    if byte == UInt8(ascii: "\"") { return try string() }
    if byte == UInt8(ascii: "'") {
      needs5("single quotes")
      return try string()
    }
    let start = position
    while let byte, Self.isIdentifier(byte), position > start || !Self.isDigit(byte) {
      position += 1
    }
    guard position > start else { throw unexpected("a member's name") }
    needs5("names without quotes")
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isIdentifier(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A name such as `true`, or a number.
  private mutating func word() throws(ListError) -> JSONTree {
    let start = position
    while let byte, Self.isIdentifier(byte) || ".+-".utf8.contains(byte) { position += 1 }
    guard position > start else { throw unexpected("a value") }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "NaN", "Infinity", "-Infinity": return .number(text)
    case "+Infinity", "+NaN", "-NaN":
      needs5("this number")
      return .number(text)
    default:
      guard let isPlain = Self.isPlainNumber(text.utf8) else {
        position = start
        throw failure("'\(ListText.Line.shown(text[...]))' is no value")
      }
      if !isPlain { needs5("this number") }
      return .number(text)
    }
  }

  /// Whether a number is one of JSON (RFC 8259, section 6); `nil` for what is not one of JSON5 either.
  private static func isPlainNumber(_ text: String.UTF8View) -> Bool? {
    var rest = text[...]
    var isPlain = true
    func digits(_ rest: inout Substring.UTF8View) -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "+") { isPlain = false }
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      let figures = rest.dropFirst(2)
      let isHexadecimal = figures.allSatisfy {
        isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
      }
      return isHexadecimal && !figures.isEmpty ? false : nil
    }
    let leadsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits(&rest)
    if leadsWithZero, whole > 1 { return nil }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits(&rest)
      if whole == 0 || fraction == 0 { isPlain = false }
    }
    guard whole + fraction > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard digits(&rest) > 0 else { return nil }
    }
    return rest.isEmpty ? isPlain : nil
  }
}

extension JSONTreeReader {
  private mutating func string() throws(ListError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    while let byte, byte >= 0x20, byte != quote, byte != UInt8(ascii: "\\") { position += 1 }
    var text = Array(bytes[(start + 1)..<position])
    while true {
      guard let byte else {
        position = start
        throw failure("a string does not end")
      }
      switch byte {
      case quote:
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = try escape() else { continue }
        text += Array(String(Character(scalar)).utf8)
      case ..<0x20: throw failure("a control character is in a string")
      default:
        text.append(byte)
        position += 1
      }
    }
  }

  /// The character of an escape; `nil` for a line that goes on.
  private mutating func escape() throws(ListError) -> Unicode.Scalar? {
    position += 1
    guard let byte else { throw failure("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try character()
    default: break
    }
    guard byte < 0x80, !Self.isDigit(byte) || byte == UInt8(ascii: "0") else {
      throw failure("an escape is none of JSON's")
    }
    needs5("this escape")
    switch byte {
    case UInt8(ascii: "v"): return "\u{b}"
    case UInt8(ascii: "0"):
      guard self.byte.map(Self.isDigit) != true else {
        throw failure("an escape is none of JSON's")
      }
      return "\0"
    case UInt8(ascii: "x"): return Unicode.Scalar(UInt8(try hexadecimal(2)))
    case 0x0A: return nil
    case 0x0D:
      _ = take("\n")
      return nil
    default: return Unicode.Scalar(byte)
    }
  }

  private mutating func character() throws(ListError) -> Unicode.Scalar {
    let unit = try hexadecimal(4)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit & 0xFC00 == 0xD800, take("\\"), take("u") else {
      throw failure("an escape is half of a surrogate pair, which is no character")
    }
    let low = try hexadecimal(4)
    guard low & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10 | low & 0x3FF))
    else { throw failure("an escape is half of a surrogate pair, which is no character") }
    return scalar
  }

  private mutating func hexadecimal(_ count: Int) throws(ListError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("a hexadecimal digit")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
