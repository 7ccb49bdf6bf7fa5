import CommandLineKit
import Glibc
import TerminalUI

/// The terminal that a screen is shown on.
struct PlayTerminal: Sendable {
  let descriptor: Int32
  let painter: TerminalUI.Painter
  /// Whether one line is printed per change instead of a screen.
  let isPlain: Bool
  /// Whether mouse input is enabled.
  var hearsMouse = false
  /// The requested picture mode; ``showsPictures`` states whether pictures are possible.
  var pictures = PlayOptions.Pictures.auto
  /// Variables that state its size, if it does not report it itself.
  let variables: [String: String]

  /// `nil` if there is no terminal to show a screen on.
  ///
  /// - Parameter leavesOutAlone: whether standard output is for a result: it may be a file or a
  ///   pipe.
  init?(_ environment: Environment, console: Console, leavesOutAlone: Bool = false) {
    guard console.outTraits.isTerminal || leavesOutAlone else { return nil }
    let traits = console.outTraits.isTerminal ? console.outTraits : console.errTraits
    // The screen uses the terminal even if standard input is a file.
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
    // The Linux console and old terminals do not support the query.
    if painter.depth != .none, variables["TERM"] != "linux" { modes.insert(.backgroundQuestion) }
    modes.formUnion(colorQuestions)
    guard showsPictures else { return modes }
    // A multiplexer mistakes the query for its title, and shows no images unless configured to.
    if pictures == .auto, !isMultiplexed { modes.formUnion([.images, .imageQuestion]) }
    if pictures == .image { modes.insert(.images) }
    return modes
  }

  private var isMultiplexed: Bool {
    ["tmux", "screen"].contains { variables["TERM"]?.hasPrefix($0) == true }
  }

  /// The queries for more colors than the environment promises, such as 256 where `TERM` is `xterm`; none
  /// where colors are switched off.
  var colorQuestions: TerminalMode.Options {
    guard painter.depth == .sixteen, variables["TERM"] != "linux" else { return [] }
    return isMultiplexed ? .colorQuestion : [.colorQuestion, .colorCountQuestion]
  }

  /// Whether pictures can be painted.
  var showsPictures: Bool { !isPlain && pictures != .none && painter.depth != .none }

  /// What is known before the terminal has answered any query.
  var look: ScreenLook {
    var look = ScreenLook(palette: Palette(depth: painter.depth))
    look.pane.dithers = painter.depth == .sixteen
    look.showsPictures = showsPictures
    look.noPicture = noPicture
    return look
  }

  /// Why there are no pictures; `nil` if there are, or if none were requested.
  var noPicture: String? {
    guard !isPlain, pictures != .none, painter.depth == .none else { return nil }
    for name in ["NO_COLOR", "TRIM_NO_COLOR"] where variables[name].map({ !$0.isEmpty }) ?? false {
      return "No picture: \(name) is set, and pictures need colors."
    }
    let capabilities = Capabilities(environment: variables)
    guard capabilities.depth == .none else {
      return "No picture: colors are switched off (--color never, --no-color)."
    }
    let term = ForeignText.shown(variables["TERM"] ?? "", asciiOnly: true)
    return "No picture: TERM=\(term) means a terminal without colors."
  }
}
