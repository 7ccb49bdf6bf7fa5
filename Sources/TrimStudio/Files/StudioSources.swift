package import EditLists
package import ExactTime
import Trimming

/// The other files whose parts follow those of a file.
///
/// A page names them by their numbers in the studio.
package struct StudioSources: Sendable {
  /// Notes what distinguishes the file at a path, before it is appended; throws `VideoFailure`.
  package var identify: @Sendable (_ path: [UInt8]) async throws -> Void
  /// Gives the file the next index, as the session does.
  package var append: @Sendable (_ path: [UInt8], _ bounds: MediaTimeRange) -> Void
  /// All files by their index, to be found again; the first, which has the work, needs no name.
  package var stated: @Sendable () -> [EditList.Source]
  /// The files that kept work or a project names; throws `VideoFailure` where one is gone or another.
  package var find: @Sendable (_ others: [EditList.Source]) async throws -> [StudioEntry]

  package init(
    identify: @escaping @Sendable ([UInt8]) async throws -> Void = { _ in
      throw VideoFailure("Files cannot be added here.")
    },
    append: @escaping @Sendable ([UInt8], MediaTimeRange) -> Void = { _, _ in },
    stated: @escaping @Sendable () -> [EditList.Source] = { [EditList.Source()] },
    find: @escaping @Sendable ([EditList.Source]) async throws -> [StudioEntry] = { _ in
      throw VideoFailure("Files cannot be added here.")
    }
  ) {
    self.identify = identify
    self.append = append
    self.stated = stated
    self.find = find
  }
}
