/// The bytes of an XML document whose elements are changed one by one.
///
/// Everything else stays as it is. Names are compared without their prefix.
struct MarkupText {
  private(set) var bytes: [UInt8]

  /// `nil` unless the bytes are UTF-8 with an element.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.contains(UInt8(ascii: "<")), String(validating: bytes, as: UTF8.self) != nil
    else { return nil }
    self.bytes = Array(bytes)
  }

  /// A start tag or an empty element.
  struct Tag {
    /// From `<` to `>`.
    var range: Range<Int>
    var name: String
    var isEmpty: Bool
    /// Values and where they are, without the quotation marks.
    var attributes: [String: Range<Int>]
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func value(_ name: String, of tag: Tag) -> String? { tag.attributes[name].map(text) }

  /// All start tags, in order.
  var tags: [Tag] {
    var tags: [Tag] = []
    var place = 0
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      guard let tag = tag(at: start) else {
        // A tag without an end reaches to the end of the document.
        if isStart(start) { return tags }
        place = start + 1
        continue
      }
      tags.append(tag)
      place = tag.range.upperBound
    }
    return tags
  }

  private func isStart(_ place: Int) -> Bool {
    place + 1 < bytes.count && Self.isName(bytes[place + 1])
  }

  private func tag(at start: Int) -> Tag? {
    var place = start + 1
    guard isStart(start) else { return nil }
    let name = readName(&place)
    var attributes: [String: Range<Int>] = [:]
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ">"):
        return Tag(
          range: start..<place + 1, name: name, isEmpty: bytes[place - 1] == UInt8(ascii: "/"),
          attributes: attributes)
      case let byte where Self.isName(byte):
        let key = readName(&place)
        guard let quote = quote(behind: place) else { continue }
        guard let end = bytes[(quote + 1)...].firstIndex(of: bytes[quote]) else { return nil }
        attributes[key] = quote + 1..<end
        place = end + 1
      default: place += 1
      }
    }
    return nil
  }

  /// The quotation mark that begins the value of an attribute whose name ends here (XML 1.0, 3.1).
  private func quote(behind place: Int) -> Int? {
    func skipSpace(from place: Int) -> Int {
      bytes[place...].firstIndex { !Self.spaces.contains($0) } ?? bytes.count
    }
    let equals = skipSpace(from: place)
    guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return nil }
    let quote = skipSpace(from: equals + 1)
    return quote < bytes.count && [0x22, 0x27].contains(bytes[quote]) ? quote : nil
  }

  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  private func readName(_ place: inout Int) -> String {
    let start = place
    while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
    let name = bytes[start..<place]
    return String(
      decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    replace([(range, text)])
  }

  /// Replaces ranges that are in order and do not overlap.
  mutating func replace(_ edits: [(range: Range<Int>, text: String)]) {
    guard !edits.isEmpty else { return }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    for edit in edits where edit.range.lowerBound >= place {
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text.utf8
      place = edit.range.upperBound
    }
    bytes = result + bytes[place...]
  }

  /// The range of an element from its start tag to its end tag; `nil` where it does not end.
  func element(_ tag: Tag) -> Range<Int>? {
    if tag.isEmpty { return tag.range }
    guard let inner = content(tag),
      let end = bytes[inner.upperBound...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    return tag.range.lowerBound..<end + 1
  }

  /// What is between its start tag and its end tag.
  func content(_ tag: Tag) -> Range<Int>? {
    guard !tag.isEmpty else { return nil }
    var depth = 1
    var place = tag.range.upperBound
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")), start + 1 < bytes.count {
      place = start + 1
      if bytes[place] == UInt8(ascii: "/") {
        place += 1
        guard place < bytes.count, readName(&place) == tag.name else { continue }
        depth -= 1
        if depth == 0 { return tag.range.upperBound..<start }
      } else if isStart(start) {
        guard let inner = self.tag(at: start) else { return nil }
        if inner.name == tag.name, !inner.isEmpty { depth += 1 }
        place = inner.range.upperBound
      }
    }
    return nil
  }

  /// Removes all elements of a name.
  ///
  /// - Returns: how many there were; `nil` where one does not end, so that nothing can be
  ///   removed safely.
  mutating func removeElements(named name: String) -> Int? {
    var removed: [(range: Range<Int>, text: String)] = []
    for tag in tags where tag.name == name {
      // Inside one that is removed.
      if let last = removed.last, last.range.contains(tag.range.lowerBound) { continue }
      guard let range = element(tag) else { return nil }
      removed.append((range, ""))
    }
    replace(removed)
    return removed.count
  }
}
