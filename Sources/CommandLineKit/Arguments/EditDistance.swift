/// Finds the word that was probably meant.
package enum EditDistance {
  /// The nearest candidate within a third of the word's length (but at least two edits); `nil` if
  /// there is none.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let limit = max(2, word.utf8.count / 3)
    let ranked = candidates.map { ($0, distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit, best.1 < word.utf8.count
    else { return candidates.first { word.utf8.count >= 2 && $0.hasPrefix(word) } }
    return best.0
  }

  /// Insertions, removals, replacements and swaps of neighbors between two words.
  package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in b.indices {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        }
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
