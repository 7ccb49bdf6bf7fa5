import CSystem

/// The sandbox layers that restrict a process reading untrusted files.
package struct SandboxLayers: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let limits = SandboxLayers(rawValue: UInt32(TRIM_LAYER_LIMITS))
  package static let capabilities = SandboxLayers(rawValue: UInt32(TRIM_LAYER_CAPABILITIES))
  package static let noNewPrivileges = SandboxLayers(rawValue: UInt32(TRIM_LAYER_NO_NEW_PRIVILEGES))
  package static let diesWithParent = SandboxLayers(rawValue: UInt32(TRIM_LAYER_PARENT))
  package static let files = SandboxLayers(rawValue: UInt32(TRIM_LAYER_FILES))
  package static let tcp = SandboxLayers(rawValue: UInt32(TRIM_LAYER_TCP))
  package static let scope = SandboxLayers(rawValue: UInt32(TRIM_LAYER_SCOPE))
  package static let calls = SandboxLayers(rawValue: UInt32(TRIM_LAYER_CALLS))

  /// The layers in the order they are entered, with their names in JSON.
  package static let named: [(layer: SandboxLayers, name: String)] = [
    (.limits, "limits"), (.capabilities, "no_capabilities"), (.diesWithParent, "dies_with_parent"),
    (.noNewPrivileges, "no_new_privileges"), (.files, "landlock_files"), (.tcp, "landlock_tcp"),
    (.scope, "landlock_scope"), (.calls, "seccomp"),
  ]

  /// Without these a process is not sealed: the system call filter on its own blocks everything
  /// that the other layers block a second time.
  package static let essential: SandboxLayers = [.limits, .noNewPrivileges, .calls]

  /// The complete sandbox, under which more formats are read (`AllowList.sealedFormats`).
  ///
  /// Each promise is kept by a layer that is here: no file is opened, created or executed
  /// (`landlock_files`, and again `seccomp`); no socket, no new process, no signal to another, and only
  /// the system calls on a list (`seccomp`, which no exec can shed: `no_new_privileges`); no privilege
  /// of root (`no_capabilities`); a bound on memory, descriptors and file size (`limits`); and CPU time,
  /// which the waiting side bounds by ending the process, and which ends with it (`dies_with_parent`).
  /// `landlock_tcp` (Linux 6.7) and `landlock_scope` (6.12) are not required: without a socket or a
  /// signal, which `seccomp` denies, they have nothing to deny. Linux 6.1 (Debian 12) has all others.
  package static let complete: SandboxLayers = [
    .limits, .capabilities, .diesWithParent, .noNewPrivileges, .files, .calls,
  ]

  /// The layers this system supports, whether or not they were entered.
  package static var available: SandboxLayers { SandboxLayers(rawValue: trim_sandbox_layers()) }

  /// Whether the sandbox is ``complete``.
  package var isComplete: Bool { isSuperset(of: .complete) }

  /// What the sandbox lacks to be ``complete``.
  package var missingForCompleteness: [String] { Self.complete.subtracting(self).names }

  package var names: [String] { Self.named.filter { contains($0.layer) }.map(\.name) }
  package var missingNames: [String] { Self.named.filter { !contains($0.layer) }.map(\.name) }
}
