/// One of several equal parts of a list, independent of the list's order.
struct Shard: Sendable, Equatable {
  var index: Int
  var count: Int

  static let most = 1_000_000

  /// `i/n`, with i from 0 to n − 1.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.most).contains(count), (0..<count).contains(index)
    else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a file is in this part; a line without a file name is assigned by its own bytes.
  func contains(_ name: [UInt8]) -> Bool {
    var hash = StableHash()
    hash.add(name)
    // The low bits of FNV-1a on their own mix poorly.
    let folded = hash.value ^ (hash.value >> 64)
    return Int(folded % UInt128(count)) == index
  }
}
