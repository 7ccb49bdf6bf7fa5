/// When color is used: `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// Decides for one stream.
  ///
  /// The flag takes precedence, then `TRIM_NO_COLOR` and `NO_COLOR`, then `FORCE_COLOR`, then the
  /// terminal's capabilities.
  package func usesColor(isTerminal: Bool, environment: Environment) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if environment["TRIM_NO_COLOR"] != nil || environment["NO_COLOR"] != nil { return false }
    if let force = environment["FORCE_COLOR"] { return force != "0" && force != "false" }
    guard isTerminal, let terminal = environment["TERM"] else { return false }
    return terminal != "dumb"
  }
}
