import CSystem

/// What a process that reads files of others may no longer do.
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

  /// In the order they are entered, with the names that JSON has for them.
  static let named: [(layer: SandboxLayers, name: String)] = [
    (.limits, "limits"), (.capabilities, "no_capabilities"), (.diesWithParent, "dies_with_parent"),
    (.noNewPrivileges, "no_new_privileges"), (.files, "landlock_files"), (.tcp, "landlock_tcp"),
    (.scope, "landlock_scope"), (.calls, "seccomp"),
  ]

  /// Without these a process is not sealed: the filter of system calls alone keeps it from
  /// everything that the others keep it from a second time.
  static let essential: SandboxLayers = [.limits, .noNewPrivileges, .calls]

  /// What this system has, whether or not it was entered.
  static var available: SandboxLayers { SandboxLayers(rawValue: trim_sandbox_layers()) }

  var names: [String] { Self.named.filter { contains($0.layer) }.map(\.name) }
  var missingNames: [String] { Self.named.filter { !contains($0.layer) }.map(\.name) }
}
