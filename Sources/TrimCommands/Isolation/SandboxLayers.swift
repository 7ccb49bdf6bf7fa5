import CSystem

/// The sandbox layers that restrict a process reading untrusted files.
struct SandboxLayers: OptionSet, Sendable {
  let rawValue: UInt32

  static let limits = SandboxLayers(rawValue: UInt32(TRIM_LAYER_LIMITS))
  static let capabilities = SandboxLayers(rawValue: UInt32(TRIM_LAYER_CAPABILITIES))
  static let noNewPrivileges = SandboxLayers(rawValue: UInt32(TRIM_LAYER_NO_NEW_PRIVILEGES))
  static let diesWithParent = SandboxLayers(rawValue: UInt32(TRIM_LAYER_PARENT))
  static let files = SandboxLayers(rawValue: UInt32(TRIM_LAYER_FILES))
  static let tcp = SandboxLayers(rawValue: UInt32(TRIM_LAYER_TCP))
  static let scope = SandboxLayers(rawValue: UInt32(TRIM_LAYER_SCOPE))
  static let calls = SandboxLayers(rawValue: UInt32(TRIM_LAYER_CALLS))

  /// The layers in the order they are entered, with their names in JSON.
  static let named: [(layer: SandboxLayers, name: String)] = [
    (.limits, "limits"), (.capabilities, "no_capabilities"), (.diesWithParent, "dies_with_parent"),
    (.noNewPrivileges, "no_new_privileges"), (.files, "landlock_files"), (.tcp, "landlock_tcp"),
    (.scope, "landlock_scope"), (.calls, "seccomp"),
  ]

  /// Without these a process is not sealed: the system call filter on its own blocks everything
  /// that the other layers block a second time.
  static let essential: SandboxLayers = [.limits, .noNewPrivileges, .calls]

  /// The layers this system supports, whether or not they were entered.
  static var available: SandboxLayers { SandboxLayers(rawValue: trim_sandbox_layers()) }

  var names: [String] { Self.named.filter { contains($0.layer) }.map(\.name) }
  var missingNames: [String] { Self.named.filter { !contains($0.layer) }.map(\.name) }
}
