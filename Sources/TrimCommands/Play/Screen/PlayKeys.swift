import CommandLineKit
import ExactTime
import TerminalUI
import Trimming

/// The action of a key.
enum PlayAction: Hashable, Sendable {
  case playOrPause
  case pause
  case faster
  case slower
  case setIn
  case setOut
  case nextHandle
  case previousHandle
  case nudge(NudgeStep)
  case goToIn
  case goToOut
  case goToStart
  case goToEnd
  /// Goes to a tenth of the file, 0…9.
  case goToTenth(Int)
  case askTime
  case askLimit
  /// Writes the frame on screen as a PNG file.
  case snapshot
  case nextSnap
  case zoomIn
  case zoomOut
  case zoomToPart
  case undo
  case redo
  case help
  case redraw
  case retry
  case suspend
  case interrupt
  case quit
}

/// The keys of `trim play`.
///
/// Every key with a modifier has an equivalent without one: some terminals do not report modifiers.
enum PlayKeys {
  static func action(for key: Key) -> PlayAction? {
    switch key.code {
    case .character(let character) where key.modifiers == .control: controlled(character)
    case .character(let character) where key.modifiers.isSubset(of: .shift): plain(character)
    case .left: step(-1, key.modifiers)
    case .right: step(1, key.modifiers)
    case .up: .zoomIn
    case .down: .zoomOut
    case .home: .goToStart
    case .end: .goToEnd
    case .tab: key.modifiers.contains(.shift) ? .previousHandle : .nextHandle
    case .function(1): .help
    case .escape: .quit
    default: nil
    }
  }

  /// A line for each key, the most important ones for a short screen first.
  static let lines: [String] = [
    ("Space p", "play, pause"), ("i o", "set In, Out here"),
    ("Tab", "next: playhead, In, Out"), ("Arrows", "1 s; < > or Shift: 10 s"),
    (", .", "one frame"), ("q Esc", "quit; Ctrl-Z suspends"), ("b n", "keyframe before, after"),
    ("[ ]", "playhead to In, Out"), ("g", "type a time"), ("u U", "undo, redo"),
    ("M", "maximum length"), ("f", "frame as a PNG file"),
    ("s", "snap: off, frame, keyframe"), ("+ - z", "zoom in, out, to the part"),
    ("j k l", "slower, stop, faster"), ("0 … 9", "tenths of the video"),
    ("Home End", "start and end of the video"),
  ].map(line)

  static func line(_ keys: String, _ meaning: String) -> String {
    keys.padded(toCells: 10) + meaning
  }

  private static func controlled(_ character: Character) -> PlayAction? {
    switch character {
    case "c": .interrupt
    case "l": .redraw
    case "r": .redo
    case "z": .suspend
    default: nil
    }
  }

  private static func plain(_ character: Character) -> PlayAction? {
    if let digit = character.wholeNumberValue, character.isASCII { return .goToTenth(digit) }
    return actions[character]
  }

  private static func step(_ sign: Int, _ modifiers: Modifiers) -> PlayAction {
    if modifiers.contains(.alt) { return .nudge(.keyframes(sign)) }
    return .nudge(.seconds(Rational(Int64(modifiers.contains(.shift) ? 10 * sign : sign))))
  }

  private static let actions: [Character: PlayAction] = [
    " ": .playOrPause, "p": .playOrPause, "k": .pause, "j": .slower, "l": .faster,
    "i": .setIn, "o": .setOut, ",": .nudge(.frames(-1)), ".": .nudge(.frames(1)),
    "<": .nudge(.seconds(Rational(-10))), ">": .nudge(.seconds(Rational(10))),
    "b": .nudge(.keyframes(-1)), "n": .nudge(.keyframes(1)), "[": .goToIn, "]": .goToOut,
    "g": .askTime, "s": .nextSnap, "+": .zoomIn, "=": .zoomIn, "-": .zoomOut, "z": .zoomToPart,
    "M": .askLimit, "f": .snapshot, "u": .undo, "U": .redo, "?": .help, "r": .retry, "q": .quit,
  ]
}
