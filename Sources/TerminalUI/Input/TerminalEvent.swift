/// What a terminal tells a program.
public enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Text pasted between the terminal's brackets.
  case pasted(String)
  case focusDidChange(isFocused: Bool)
  case resized(Size)
  /// The job goes on after Ctrl-Z or a stop: the whole screen must be painted anew.
  case continued
  /// The terminal answers that it shows images in their own pixels.
  case showsImages
  /// The terminal answers what colour its background has.
  case background(RGBColor)
  /// Someone asks the program to end. The same request again ends it at once.
  case asked(EndSignal)
  /// The terminal is gone.
  case closed
}

/// The signals that ask a program to end; the raw value is POSIX's number.
public enum EndSignal: Int32, Hashable, Sendable {
  case hangup = 1
  case interrupt = 2
  case terminate = 15

  /// What a shell shows for a program ended by this signal.
  public var exitStatus: Int32 { 128 + rawValue }
}

/// A key with the modifiers the terminal reported.
public struct Key: Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// A printable character; with `control`, the lower-case letter or sign of the key.
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

  public let code: Code
  public let modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  public static func control(_ character: Character) -> Key {
    Key(.character(character), .control)
  }
}

/// Shift, Alt and Control, as far as a terminal can tell them.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public static let shift = Modifiers(rawValue: 1 << 0)
  public static let alt = Modifiers(rawValue: 1 << 1)
  public static let control = Modifiers(rawValue: 1 << 2)

  public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// A mouse report (xterm's SGR encoding, private mode 1006).
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case press
    case drag
    case release
    case wheelUp
    case wheelDown
  }

  public enum Button: Hashable, Sendable {
    case left
    case middle
    case right
    case none
  }

  public let action: Action
  public let button: Button
  public let position: Position
  public let modifiers: Modifiers

  public init(
    _ action: Action, _ button: Button, at position: Position, modifiers: Modifiers = []
  ) {
    self.action = action
    self.button = button
    self.position = position
    self.modifiers = modifiers
  }
}
