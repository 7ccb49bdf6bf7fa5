import CommandLineKit
import TerminalUI

/// What the terminal supports, as reported by itself and by the environment.
struct TerminalFindings: Sendable, Equatable {
  /// The color depth according to `TERM` and related variables.
  var depth: ColorDepth
  /// Whether it reports support for kitty's image protocol; `nil` if not queried.
  var showsImages: Bool?
  /// The background color that it reports.
  var background: RGBColor?
  /// Why `trim edit` would show no pictures; `nil` if it would.
  var noPicture: String?

  /// How long to wait for a terminal that does not answer.
  private static let patience = Duration.milliseconds(250)

  /// - Parameter terminal: `nil` if there is none to query.
  init(_ terminal: PlayTerminal?, _ environment: Environment) {
    depth = Capabilities(environment: environment.terminalVariables).depth
    noPicture =
      terminal.map { $0.isPlain ? "No picture: --plain or a dumb terminal." : $0.noPicture }
      ?? "No picture: there is no terminal."
  }

  /// Queries the terminal, which may not answer.
  @MainActor mutating func ask(_ terminal: PlayTerminal) async {
    guard !terminal.isPlain,
      let mode = try? TerminalMode(
        terminal.descriptor,
        options: TerminalMode.Options([.imageQuestion, .backgroundQuestion])
          .union(terminal.colorQuestions)),
      let input = try? TerminalInput(terminal.descriptor, environment: terminal.variables)
    else { return }
    let timer = Task {
      try? await Task.sleep(for: Self.patience)
      input.stop()
    }
    showsImages = false
    for await event in input.events {
      switch event {
      case .showsImages: showsImages = true
      case .background(let color): background = color
      case .has256Colors: depth = max(depth, .twoHundredFiftySix)
      default: continue
      }
      let isAnswered = terminal.colorQuestions.isEmpty || depth >= .twoHundredFiftySix
      if showsImages == true, background != nil, isAnswered { break }
    }
    timer.cancel()
    input.stop()
    mode.leave()
  }

  /// How pictures are painted; `nil` if there are none.
  var graphics: String? {
    guard noPicture == nil else { return nil }
    return showsImages == true ? "images (kitty's protocol)" : "half blocks"
  }

  var depthText: String {
    switch depth {
    case .none: "none"
    case .sixteen: "16"
    case .twoHundredFiftySix: "256"
    case .trueColor: "true color"
    }
  }

  var backgroundText: String? {
    background.map { color in
      "#"
        + [color.red, color.green, color.blue].map { component in
          let digits = String(component, radix: 16)
          return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
  }

  var json: [JSONValue.Member] {
    JSONValue.members([
      "colors": .string(depthText), "kitty_images": .optional(showsImages),
      "background": .optional(backgroundText), "pictures": .optional(graphics),
      "no_picture_because": .optional(noPicture),
    ])
  }
}
