import CommandLineKit
import Glibc

/// The directories of this user according to the XDG Base Directory Specification.
struct UserDirectories: Sendable {
  struct Directory: Sendable, Equatable {
    var purpose: String
    /// `nil` where neither its variable nor `HOME` is set.
    var path: String?
    var isWritable: Bool
  }

  /// True when a path can be written to, `nil` when it does not exist.
  var isWritable: @Sendable (String) -> Bool?

  static let live = UserDirectories { path in
    if access(path, W_OK) == 0 { return true }
    return errno == ENOENT ? nil : false
  }

  func all(_ environment: Environment) -> [Directory] {
    [
      directory("config", "XDG_CONFIG_HOME", "/.config", environment),
      directory("state", "XDG_STATE_HOME", "/.local/state", environment),
      directory("cache", "XDG_CACHE_HOME", "/.cache", environment),
    ]
  }

  private func directory(
    _ purpose: String, _ variable: String, _ usual: String, _ environment: Environment
  ) -> Directory {
    // A relative path in the variable is ignored, as the specification requires.
    let stated = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let base = stated ?? environment["HOME"].map({ $0 + usual }) else {
      return Directory(purpose: purpose, path: nil, isWritable: false)
    }
    let path = base + "/trim"
    return Directory(purpose: purpose, path: path, isWritable: canBeMade(path))
  }

  /// A directory that does not exist yet is as writable as its nearest existing ancestor.
  private func canBeMade(_ path: String) -> Bool {
    var path = path[...]
    while !path.isEmpty {
      if let answer = isWritable(String(path)) { return answer }
      guard let slash = path.lastIndex(of: "/") else { return false }
      path = path[..<slash]
    }
    return isWritable("/") ?? false
  }
}
