/// `Content-Range` (RFC 9110, 14.4).
struct ContentRange: Equatable {
  /// `nil` in an answer that the range is not satisfiable.
  var bytes: Range<Int64>?
  /// The size of the whole; `nil` where it is not stated.
  var total: Int64?

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[1] != "*" {
      guard let number = Self.number(parts[1]) else { return nil }
      total = number
    }
    if parts[0] == "*" {
      if total == nil { return nil }
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < .max, last < total ?? .max
    else { return nil }
    bytes = first..<last + 1
  }

  /// No file is larger, and sums with it do not overflow.
  private static let most: Int64 = 1 << 60

  /// Digits only: `Int64` also takes a sign.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
      number <= most
    else { return nil }
    return number
  }
}
