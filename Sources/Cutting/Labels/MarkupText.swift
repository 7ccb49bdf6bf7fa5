#if FFmpeg
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
          place = start + 1
          continue
        }
        tags.append(tag)
        place = tag.range.upperBound
      }
      return tags
    }

    private func tag(at start: Int) -> Tag? {
      var place = start + 1
      guard place < bytes.count, Self.isName(bytes[place]) else { return nil }
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
          guard let quote = bytes[place...].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
            let end = bytes[(quote + 1)...].firstIndex(of: bytes[quote])
          else { return nil }
          attributes[key] = quote + 1..<end
          place = end + 1
        default: place += 1
        }
      }
      return nil
    }

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
      bytes.replaceSubrange(range, with: text.utf8)
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
        } else if let inner = self.tag(at: start), inner.name == tag.name, !inner.isEmpty {
          depth += 1
        }
      }
      return nil
    }

    /// Removes all elements of a name.
    ///
    /// - Returns: how many there were; `nil` where one does not end, so that nothing can be
    ///   removed safely.
    mutating func removeElements(named name: String) -> Int? {
      var count = 0
      while let tag = tags.first(where: { $0.name == name }) {
        guard let range = element(tag) else { return nil }
        bytes.removeSubrange(range)
        count += 1
      }
      return count
    }
  }
#endif
