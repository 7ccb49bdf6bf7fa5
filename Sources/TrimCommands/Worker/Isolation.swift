import CommandLineKit

/// How much a process that reads files of others must be kept from.
enum Isolation: String, Sendable, CaseIterable {
  /// Everything that is needed for it to reach nothing but its files; else the work is refused.
  case required
  /// Whatever this system has the means for.
  case auto
  /// A process of its own, but not sealed.
  case off

  static let variable = "TRIM_ISOLATION"

  static let option = OptionSpec(
    long: "isolation", arity: .value("how", .choices(allCases.map(\.rawValue))),
    help: "auto: processes that read files are sealed as far as this system can; required: "
      + "without a complete seal nothing is read; off: they are not sealed.", standard: "auto")

  /// What the command line says, or else the environment.
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

  /// - Parameter layers: what a process has entered.
  func refusal(of layers: SandboxLayers) -> BatchFailure? {
    guard self == .required, !layers.isSuperset(of: .essential) else { return nil }
    let missing = SandboxLayers.essential.subtracting(layers).names.joined(separator: ", ")
    return BatchFailure(
      code: "notIsolated", status: .unavailable,
      "this system cannot seal the process that would read it; missing: \(missing)",
      hint: "'trim doctor' lists the layers. Isolation that is not required goes on without.")
  }
}
