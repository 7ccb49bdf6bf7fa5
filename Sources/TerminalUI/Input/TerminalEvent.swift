/// An event that a terminal sends to a program.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Text pasted in bracketed paste mode.
  case pasted(String)
  case focusDidChange(isFocused: Bool)
  case resized(Size)
  /// The job continues after Ctrl-Z or a stop: the whole screen must be repainted.
  case continued
  /// The terminal reports that it supports images.
  case showsImages
  /// The terminal reports its background color.
  case background(RGBColor)
  /// The terminal reports that it has xterm's table of 256 colors.
  case has256Colors
  /// A signal asks the program to end. Repeating it ends the program immediately.
  case asked(EndSignal)
  /// The terminal is gone.
  case closed
}

/// The signals that ask a program to end; the raw value is POSIX's number.
package enum EndSignal: Int32, Hashable, Sendable {
  case hangup = 1
  case interrupt = 2
  case terminate = 15

  /// The exit status a shell reports for a program ended by this signal.
  package var exitStatus: Int32 { 128 + rawValue }
}

/// A key with the modifiers the terminal reported.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A printable character; with `control`, the lowercase letter or sign of the key.
    case character(Character)
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case insert
    case delete
    case backspace
    case tab
    case enter
    case escape
    /// F1 is 1.
    case function(Int)
  }

  package let code: Code
  package let modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package static func character(_ character: Character) -> Key { Key(.character(character)) }
  package static func control(_ character: Character) -> Key {
    Key(.character(character), .control)
  }
}

/// Shift, Alt and Control, as far as a terminal reports them.
package struct Modifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package static let shift = Modifiers(rawValue: 1 << 0)
  package static let alt = Modifiers(rawValue: 1 << 1)
  package static let control = Modifiers(rawValue: 1 << 2)

  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// A mouse report (xterm's SGR encoding, private mode 1006).
package struct Mouse: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case press
    case drag
    case release
    case wheelUp
    case wheelDown
  }

  package enum Button: Hashable, Sendable {
    case left
    case middle
    case right
    case none
  }

  package let action: Action
  package let button: Button
  package let position: Position
  package let modifiers: Modifiers

  package init(
    _ action: Action, _ button: Button, at position: Position, modifiers: Modifiers = []
  ) {
    self.action = action
    self.button = button
    self.position = position
    self.modifiers = modifiers
  }
}
