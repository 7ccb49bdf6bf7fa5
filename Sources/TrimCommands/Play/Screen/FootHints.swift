import TerminalUI

/// The keys named in the last row: as many as fit, the most important ones at any width.
struct FootHints {
  struct Hint {
    var text: String
    /// The priority; the lowest ranks are kept longest.
    var rank: Int

    init(_ text: String, _ rank: Int) {
      self.text = text
      self.rank = rank
    }
  }

  var hints: [Hint]

  init(_ hints: Hint...) { self.hints = hints }

  /// The hints that fit, in the given order.
  func line(cells: Int) -> String {
    var shown = Set<Int>()
    var left = cells
    for (index, hint) in hints.enumerated().sorted(by: { $0.element.rank < $1.element.rank }) {
      let width = hint.text.columns + (shown.isEmpty ? 0 : 2)
      guard width <= left else { continue }
      left -= width
      shown.insert(index)
    }
    return hints.indices.filter(shown.contains).map { hints[$0].text }.joined(separator: "  ")
  }
}
