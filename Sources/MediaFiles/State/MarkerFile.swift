import CSystem
import Glibc

/// An empty file whose existence records that something has happened.
///
/// It is created by a single system call that fails when the file exists, so of any number of
/// concurrent processes exactly one succeeds. Nothing is ever read, changed or replaced.
package struct MarkerFile: Sendable {
  package let directory: String
  package let name: String

  private var path: String { "\(directory)/\(name)" }

  /// Creates the file; false when it already existed.
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

  /// Removes the file; no error when it does not exist.
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

  /// Requires a regular file: a directory or link in its place was not put there by us, and means
  /// nothing.
  private func requireMarker() throws(StateError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StateError(.notMarker, path, 0) }
  }

  /// Creates directories with access only for the user (XDG Base Directory Specification,
  /// "Referencing this specification").
  func makeDirectories() throws(StateError) {
    var made = ""
    for part in directory.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0 else { continue }
      let failure = errno
      // An existing parent may be neither writable nor readable for us.
      var status = stat()
      if stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
      throw StateError(.cannotMakeDirectory, made, failure == EEXIST ? ENOTDIR : failure)
    }
  }
}

/// Why state cannot be stored: the path, the reason and a hint in one line.
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
    case .cannotMakeDirectory: "cannot create the directory \(path): \(reason)"
    case .cannotMake: "cannot create the file \(path): \(reason)"
    case .cannotRemove: "cannot remove the file \(path): \(reason)"
    case .cannotLookAt: "cannot examine the file \(path): \(reason)"
    case .notMarker: "\(path) is not a regular file: remove it"
    }
  }
}
