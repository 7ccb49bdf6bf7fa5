import ExactTime

/// What the parts of a list are sorted by.
public enum PartOrder: String, Hashable, Sendable, Codable, CaseIterable {
  /// Where a part begins in its file; files in the order in which they were added.
  case time
  /// What the user calls it, numbers by their value; parts without a name come last.
  case name
  /// How long it is, the shortest first.
  case length
}

extension PartOrder {
  /// Whether a part comes before another; `false` for both if it does not matter.
  func isAscending(_ one: TrimmingPart, _ other: TrimmingPart) -> Bool {
    switch self {
    case .time:
      (one.source, one.range.start, one.range.end)
        < (other.source, other.range.start, other.range.end)
    case .name:
      if one.name.isEmpty || other.name.isEmpty {
        !one.name.isEmpty && other.name.isEmpty
      } else {
        Self.isAscending(Array(one.name.lowercased()), Array(other.name.lowercased()))
      }
    case .length: one.range.length < other.range.length
    }
  }

  /// Compares digits that follow each other as one number.
  private static func isAscending(_ one: [Character], _ other: [Character]) -> Bool {
    var (a, b) = (one[...], other[...])
    while let first = a.first, let second = b.first {
      if isDigit(first), isDigit(second) {
        let (x, y) = (number(&a), number(&b))
        if x != y { return x.count == y.count ? x.lexicographicallyPrecedes(y) : x.count < y.count }
      } else {
        if first != second { return first < second }
        a.removeFirst()
        b.removeFirst()
      }
    }
    return a.isEmpty && !b.isEmpty
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// Removes the digits at the beginning, and returns them without leading zeros.
  private static func number(_ text: inout ArraySlice<Character>) -> ArraySlice<Character> {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == "0" }
  }
}
