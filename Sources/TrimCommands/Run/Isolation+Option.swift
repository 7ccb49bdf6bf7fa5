import CommandLineKit
import Isolation

extension Isolation {
  static let variable = "TRIM_ISOLATION"

  static let option = OptionSpec(
    long: "isolation", arity: .value("how", .choices(allCases.map(\.rawValue))),
    help: "auto: FFmpeg reads files in processes that are sandboxed as far as this system allows; "
      + "required: without a sandbox it reads nothing; off: no sandbox.",
    standard: "auto")

  /// Reads the setting from the command line, or else from the environment.
  init(
    _ parsed: ParsedArguments, environment: Environment, command: String
  ) throws(UsageError) {
    if let stated = parsed.last("isolation")?.text.flatMap(Isolation.init(rawValue:)) {
      self = stated
      return
    }
    guard let value = environment[Self.variable] else {
      self = .auto
      return
    }
    guard let known = Isolation(rawValue: value) else {
      throw UsageError(
        "The environment variable \(Self.variable) is neither required, auto nor off.",
        command: command)
    }
    self = known
  }
}
