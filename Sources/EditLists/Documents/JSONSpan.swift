/// Where a value of a JSON text and what it consists of are in its bytes, so that parts of it can be replaced.
struct JSONSpan {
  let range: Range<Int>
  /// By their keys as they are spelled.
  private(set) var members: [(key: ArraySlice<UInt8>, value: JSONSpan)] = []
  private(set) var elements: [JSONSpan] = []

  /// The value of a text that ``JSONTreeReader`` has read without finding anything of JSON5.
  init(of bytes: [UInt8]) {
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.init(bytes, &position)
  }

  private init(_ bytes: [UInt8], _ position: inout Int) {
    Self.skipSpace(bytes, &position)
    let start = position
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = bytes[position] == UInt8(ascii: "{")
      position += 1
      while position < bytes.count {
        Self.skipSpace(bytes, &position)
        guard position < bytes.count, !"]}".utf8.contains(bytes[position]) else { break }
        if bytes[position] == UInt8(ascii: ",") {
          position += 1
          continue
        }
        let value = JSONSpan(bytes, &position)
        guard isObject else {
          elements.append(value)
          continue
        }
        Self.skipSpace(bytes, &position)
        position += 1
        let key = bytes[value.range].dropFirst().dropLast()
        members.append((key, JSONSpan(bytes, &position)))
      }
      position += 1
    case UInt8(ascii: "\""):
      position += 1
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position += 1
    default:
      repeat {
        position += 1
      } while position < bytes.count && !" \t\r\n,]}".utf8.contains(bytes[position])
    }
    position = min(position, bytes.count)
    range = start..<max(start, position)
  }

  private static func skipSpace(_ bytes: [UInt8], _ position: inout Int) {
    while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
  }

  /// The value of a member.
  func member(_ key: String) -> JSONSpan? {
    members.first { $0.key.elementsEqual(key.utf8) }?.value
  }
}
