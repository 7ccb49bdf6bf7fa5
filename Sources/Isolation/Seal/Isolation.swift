package import MediaEngine

/// How strictly the processes in which FFmpeg reads files are isolated.
package enum Isolation: String, Sendable, CaseIterable {
  /// They can access nothing but their files; otherwise the work is refused.
  case required
  /// Whatever this system supports.
  case auto
  /// No isolation: FFmpeg runs in the command's process; a batch uses unsealed processes.
  case off

  /// - Parameter layers: the layers that a process has entered.
  package func refusal(of layers: SandboxLayers) -> MediaError? {
    guard self == .required, !layers.isSuperset(of: .essential) else { return nil }
    let missing = SandboxLayers.essential.subtracting(layers).names.joined(separator: ", ")
    return Self.refusal("missing: \(missing)")
  }

  /// - Parameter reason: the reason, in a few words.
  package static func refusal(_ reason: String) -> MediaError {
    MediaError(
      .notIsolated, "this system cannot sandbox the process that would read it; \(reason)")
  }
}
