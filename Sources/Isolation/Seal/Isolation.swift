import CommandLineKit
import MediaEngine

/// How strictly the processes in which FFmpeg reads files are isolated.
package enum Isolation: String, Sendable, CaseIterable {
  /// They can access nothing but their files; otherwise the work is refused.
  case required
  /// Whatever this system supports.
  case auto
  /// No isolation: FFmpeg runs in the command's process; a batch uses unsealed processes.
  case off

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

  /// - Parameter layers: the layers that a process has entered.
  func refusal(of layers: SandboxLayers) -> ProbeError? {
    guard self == .required, !layers.isSuperset(of: .essential) else { return nil }
    let missing = SandboxLayers.essential.subtracting(layers).names.joined(separator: ", ")
    return Self.refusal("missing: \(missing)")
  }

  /// - Parameter reason: the reason, in a few words.
  static func refusal(_ reason: String) -> ProbeError {
    ProbeError(
      .notIsolated, "this system cannot sandbox the process that would read it; \(reason)",
      hint: "'trim doctor' lists the layers. Without required isolation, trim runs anyway.")
  }
}
