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

  /// `nil` where there is not a terminal to show a screen on.
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
    // The Linux console and the first terminals do not know the question.
    if painter.depth != .none, variables["TERM"] != "linux" { modes.insert(.backgroundQuestion) }
    guard showsPictures else { return modes }
    // A multiplexer takes the question for its title, and shows no images unless it is told to.
    let isMultiplexed = ["tmux", "screen"].contains { variables["TERM"]?.hasPrefix($0) == true }
    if pictures == .auto, !isMultiplexed { modes.formUnion([.images, .imageQuestion]) }
    if pictures == .image { modes.insert(.images) }
    return modes
  }

  /// Whether pictures can be painted.
  var showsPictures: Bool { !isPlain && pictures != .none && painter.depth != .none }

  /// What is known before the terminal has answered anything.
  var look: ScreenLook {
    var look = ScreenLook(palette: Palette(depth: painter.depth))
    look.pane.dithers = painter.depth == .sixteen
    look.showsPictures = showsPictures
    look.noPicture = noPicture
    return look
  }

  /// Why there are no pictures; `nil` where there are, and where none was asked for.
  var noPicture: String? {
    guard !isPlain, pictures != .none, painter.depth == .none else { return nil }
    for name in ["NO_COLOR", "TRIM_NO_COLOR"] where variables[name].map({ !$0.isEmpty }) ?? false {
      return "No picture: \(name) is set, and pictures need colours."
    }
    let capabilities = Capabilities(environment: variables)
    guard capabilities.depth == .none else {
      return "No picture: colours are switched off (--color never, --no-color)."
    }
    let term = ForeignText.shown(variables["TERM"] ?? "", asciiOnly: true)
    return "No picture: by TERM=\(term) this terminal has no colours."
  }
}
