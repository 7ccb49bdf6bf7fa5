import CommandLineKit
import TerminalUI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal that a screen is shown on.
struct PlayTerminal: Sendable {
  let descriptor: Int32
  let painter: TerminalUI.Painter
  /// One line for each change, in place of a screen.
  let isPlain: Bool
  /// The mouse is listened to.
  var hearsMouse = false
  /// What was asked for; ``showsPictures`` tells what can be had of it.
  var pictures = PlayOptions.Pictures.auto
  /// What its size is told by, where it does not know it itself.
  let variables: [String: String]

  /// `nil` where there is no terminal to show a screen on.
  ///
  /// - Parameter leavesOutAlone: standard output is for a result: it may be a file or a pipe.
  init?(_ environment: Environment, console: Console, leavesOutAlone: Bool = false) {
    guard console.outTraits.isTerminal || leavesOutAlone else { return nil }
    let traits = console.outTraits.isTerminal ? console.outTraits : console.errTraits
    // The screen is on the terminal even where standard input is a file.
    let opened = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 || isatty(0) == 1 else { return nil }
    descriptor = opened >= 0 ? opened : 0
    variables = environment.terminalVariables
    let capabilities = Capabilities(environment: variables)
    painter = TerminalUI.Painter(
      depth: traits.usesColor ? capabilities.depth : .none,
      isUTF8: capabilities.isUTF8)
    isPlain = console.isPlain || !capabilities.isAddressable
  }

  var modes: TerminalMode.Options {
    guard !isPlain else { return [] }
    var modes = TerminalMode.Options.screen
    if hearsMouse { modes.insert(.mouse) }
    guard showsPictures else { return modes }
    if pictures == .auto { modes.formUnion([.images, .imageQuestion]) }
    if pictures == .image { modes.insert(.images) }
    return modes
  }

  /// Whether pictures can be painted: 16 colours of a theme are not enough for them.
  var showsPictures: Bool {
    !isPlain && pictures != .none && painter.depth >= .twoHundredFiftySix
  }
}
