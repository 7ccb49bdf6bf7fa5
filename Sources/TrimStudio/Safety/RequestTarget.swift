/// The path and query of a request, limited to the few characters used in this server's URLs.
struct RequestTarget {
  /// Empty for the page itself.
  let path: [String]
  let query: [String: String]

  static let longest = 1024

  /// Returns `nil` for anything else: escapes, `..` segments, empty names, duplicate names.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.first == "/" else { return nil }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard halves[0] == "/" || names.allSatisfy(Self.isName) else { return nil }
    path = halves[0] == "/" ? [] : names.map(String.init)
    var query: [String: String] = [:]
    if halves.count == 2 {
      for pair in halves[1].split(separator: "&", omittingEmptySubsequences: false) {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, Self.isName(sides[0]),
          sides[1].utf8.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "/") }),
          query.updateValue(String(sides[1]), forKey: String(sides[0])) == nil
        else { return nil }
      }
    }
    self.query = query
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "." && text.utf8.allSatisfy(isPlain)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
