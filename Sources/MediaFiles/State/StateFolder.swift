import CSystem
import Glibc

/// A folder of small files in the state directory, each replaced as a whole; only the user can read them.
package struct StateFolder: Sendable {
  package let path: String

  /// `nil` where the environment names no state directory (XDG Base Directory Specification).
  /// - Parameter name: a folder in it; `nil` for the directory itself.
  package init?(_ name: String? = nil, environment: [String: String]) {
    let state = Self.absolute(environment["XDG_STATE_HOME"])
    guard
      let base = state ?? Self.absolute(environment["HOME"]).map({ $0 + "/.local/state" })
    else { return nil }
    path = "\(base)/trim" + (name.map { "/" + $0 } ?? "")
  }

  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The content of a file; `nil` if it is missing, is not a regular file, or is larger than anything we
  /// write.
  package func read(_ name: String, atMost limit: Int = 1 << 20) -> [UInt8]? {
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return nil }
    var content: [UInt8] = []
    while content.count <= limit {
      var count = 0
      let more = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      guard count >= 0 else { return nil }
      if count == 0 { return content }
      content += more
    }
    return nil
  }

  /// Replaces a file in one step; a failure leaves the older one.
  package func write(_ content: [UInt8], to name: String) throws(StateError) {
    try MarkerFile(directory: path, name: name).makeDirectories()
    chmod(path, 0o700)
    let made = "\(path)/.\(name)-\(getpid())-\(UInt32.random(in: .min ... .max))"
    let descriptor = open(made, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StateError(.cannotMake, made, errno) }
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else {
        let failure = errno
        close(descriptor)
        unlink(made)
        throw StateError(.cannotMake, made, failure)
      }
      rest = rest.dropFirst(count)
    }
    fsync(descriptor)
    close(descriptor)
    guard rename(made, "\(path)/\(name)") == 0 else {
      let failure = errno
      unlink(made)
      throw StateError(.cannotMake, "\(path)/\(name)", failure)
    }
  }

  package func remove(_ name: String) { unlink("\(path)/\(name)") }

  /// The names of its files, the newest first.
  package var names: [String] { files.map(\.name) }

  private var files: [(name: String, written: Int)] {
    var found: [(name: String, written: Int)] = []
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard name != ".", name != "..", lstat("\(path)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      found.append((name, status.st_mtim.tv_sec))
    }
    return found.sorted { $0.written > $1.written }
  }

  /// Removes files that were written more than `days` ago, and the oldest beyond `count`.
  ///
  /// - Parameter now: seconds since 1970; `nil` for the time of the newest file, after it was written.
  package func prune(olderThan days: Int, keeping count: Int, now: Int? = nil) {
    let found = files
    let oldest = (now ?? found.first?.written ?? 0) - days * 86_400
    for (index, file) in found.enumerated() where index >= count || file.written < oldest {
      remove(file.name)
    }
  }
}
