import CommandLineKit
import TerminalUI

/// What keys do in `trim edit` beyond those of `trim play`.
enum EditAction: Hashable, Sendable {
  case cut
  case preview
  case addPart
  case splitPart
  case deletePart
  /// Removes what is between In and Out.
  case removeRange
  case nextPart
  case previousPart
  case movePartForward
  case movePartBack
  case namePart
  case joinOrSeparate
  case listParts
  case listTracks
  /// Forgets the work that is kept on the file.
  case forget
  case addMarker
  case deleteMarker
  case nextMarker
  case previousMarker
  /// Silence, black, still pictures and scenes.
  case find
  case nextFinding
  case previousFinding
  /// A part of another file, after the others.
  case addFile
  /// The parts of a list, in place of the present ones.
  case importList
  /// The parts of a list, after the present ones.
  case addList
  case exportList
  /// Saves the work beside the output.
  case saveProject
}

enum EditKeys {
  static func action(for key: Key) -> EditAction? {
    guard key.modifiers.isSubset(of: .shift) else { return nil }
    switch key.code {
    case .enter where key.modifiers.isEmpty: return .cut
    case .pageDown: return .nextPart
    case .pageUp: return .previousPart
    case .character(let character): return actions[character]
    default: return nil
    }
  }

  private static let actions: [Character: EditAction] = [
    "e": .cut, "v": .preview, "a": .addPart, "/": .splitPart, "x": .deletePart,
    "X": .removeRange, ")": .nextPart, "(": .previousPart, "}": .movePartForward,
    "{": .movePartBack, "N": .namePart, "J": .joinOrSeparate, "L": .listParts, "T": .listTracks,
    "F": .forget,
    "c": .addMarker, "C": .deleteMarker, "'": .nextMarker, ";": .previousMarker,
    "d": .find, "\"": .nextFinding, ":": .previousFinding,
    "O": .addFile, "I": .importList, "A": .addList, "E": .exportList, "W": .saveProject,
  ]

  /// A line for each key, the most important ones for a short screen first.
  static let lines: [String] =
    [
      PlayKeys.line("Enter e", "cut"), PlayKeys.line("v", "preview the result"),
      PlayKeys.line("a", "add a part here"), PlayKeys.line("x", "delete this part"),
      PlayKeys.line("X", "remove In to Out"), PlayKeys.line("/", "split the part here"),
      PlayKeys.line("( )", "previous, next part"), PlayKeys.line("{ }", "move it earlier, later"),
      PlayKeys.line("J", "join, or one file each"), PlayKeys.line("L", "list the parts"),
      PlayKeys.line("O", "add another file"), PlayKeys.line("N", "name the part"),
      PlayKeys.line("T", "choose tracks, mode"),
      PlayKeys.line("F", "forget kept work"),
      PlayKeys.line("c C", "mark here, delete the mark"),
      PlayKeys.line("; '", "previous, next marker"),
      PlayKeys.line("d", "find silence, scenes …"),
      PlayKeys.line(": \"", "previous, next finding"),
      PlayKeys.line("I A", "import a list; add its parts"),
      PlayKeys.line("E", "export the parts as a list"),
      PlayKeys.line("W", "save the project"),
    ] + PlayKeys.lines

  static let tutorial = [
    "Everything between In and Out is kept.",
    "Press i to set In here, o to set Out.",
    "Arrows move 1 s, Enter cuts.",
    "Press any key to start. ? shows all keys.",
  ]
}
