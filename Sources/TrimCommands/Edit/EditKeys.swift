import CommandLineKit
import TerminalUI

/// What keys do in `trim edit` beyond those of `trim play`.
enum EditAction: Hashable, Sendable {
  case cut
  case preview
}

enum EditKeys {
  static func action(for key: Key) -> EditAction? {
    switch key.code {
    case .enter where key.modifiers.isEmpty: .cut
    case .character("e") where key.modifiers.isEmpty: .cut
    case .character("v") where key.modifiers.isEmpty: .preview
    default: nil
    }
  }

  /// A line for each key, the ones that a short screen must not lose first.
  static let lines: [String] =
    ["Enter e".padded(toCells: 10) + "cut", "v".padded(toCells: 10) + "preview the result"]
    + PlayKeys.lines

  static let tutorial = [
    "In to out is what the cut keeps.",
    "i sets in and o out, where you are.",
    "Arrows move 1 s, Enter cuts.",
    "Any key closes this, ? lists keys.",
  ]
}
