import CommandLineKit
import Trimming

/// What sets the limit of `edit` and `studio` where no option does.
enum LimitSource: String, Sendable {
  case standard, remembered, variable

  /// For people.
  var words: String {
    switch self {
    case .standard: "the default"
    case .remembered: "remembered from the last change on a screen"
    case .variable: "set by \(LengthLimit.variable)"
    }
  }

  static func find(_ environment: Environment) -> (LengthLimit, LimitSource) {
    if let text = environment[LengthLimit.variable] {
      var parsed = ParsedArguments()
      parsed.note(ArgumentText(text), for: LengthLimit.variable)
      // A text that is no length is refused by every screen, and sets none.
      if let limit = try? LengthLimit(parsed, command: "doctor") { return (limit, .variable) }
    }
    return RememberedLimit(environment)?.load().map { ($0, .remembered) } ?? (.standard, .standard)
  }
}
