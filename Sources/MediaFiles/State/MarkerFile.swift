import CSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An empty file that says that something has happened, by being there.
///
/// It is made by one system call that fails when the file is there already, so of any number of
/// processes that make it at once exactly one succeeds. Nothing is ever read, changed or replaced.
package struct MarkerFile: Sendable {
  package let directory: String
  package let name: String

  private var path: String { "\(directory)/\(name)" }

  /// Whether the file was made now: false when it was there.
  package func claim() throws(StateError) -> Bool {
    try makeDirectories()
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    guard errno == EEXIST else { throw StateError(.cannotMake, path, errno) }
    try requireMarker()
    return false
  }

  /// Removes the file; no error when it is not there.
  package func reset() throws(StateError) {
    guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw StateError(.cannotRemove, path, errno)
  }

  package func exists() throws(StateError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw StateError(.cannotLookAt, path, errno)
    }
    try requireMarker()
    return true
  }

  /// A directory or a link in the marker's place was not put there by us, and tells nothing.
  private func requireMarker() throws(StateError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StateError(.notMarker, path, 0) }
  }

  /// Only for the user (XDG Base Directory Specification, "Referencing this specification").
  private func makeDirectories() throws(StateError) {
    var made = ""
    for part in directory.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0 else { continue }
      let failure = errno
      // A parent that is there may be neither ours to write nor to read.
      var status = stat()
      if stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
      throw StateError(.cannotMakeDirectory, made, failure == EEXIST ? ENOTDIR : failure)
    }
  }
}

/// Why something cannot be remembered: the path, the reason and a way out in one line.
package struct StateError: Error, Hashable, CustomStringConvertible {
  package enum Problem {
    case noHome, cannotMakeDirectory, cannotMake, cannotRemove, cannotLookAt, notMarker
  }

  package let problem: Problem
  package let path: String
  package let code: Int32

  package init(_ problem: Problem, _ path: String, _ code: Int32) {
    self.problem = problem
    self.path = path
    self.code = code
  }

  package var description: String {
    let reason = String(cString: strerror(code))
    return switch problem {
    case .noHome: "neither XDG_STATE_HOME nor HOME names a directory: set one of them"
    case .cannotMakeDirectory: "cannot make the directory \(path): \(reason)"
    case .cannotMake: "cannot make the file \(path): \(reason)"
    case .cannotRemove: "cannot remove the file \(path): \(reason)"
    case .cannotLookAt: "cannot look at the file \(path): \(reason)"
    case .notMarker: "\(path) is not a regular file: remove it"
    }
  }
}
