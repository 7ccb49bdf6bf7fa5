import CSystem
import CommandLineKit
import Glibc
import MediaEngine
import Synchronization
import TrimStudio
import Trimming

extension WorkPort {
  /// A file for each video in the state directory, found by size and beginning: no path is stored.
  ///
  /// At most 200 are kept, for 90 days; of two studios, the last writer wins.
  static func state(_ path: [UInt8], environment: [String: String]) -> WorkPort? {
    guard let folder = StateFolder("work", environment: environment),
      let key = WorkKey(path)
    else { return nil }
    // What this process has last read or written.
    let seen = Mutex<[UInt8]?>(nil)
    var port = WorkPort(
      load: {
        folder.prune(olderThan: days, keeping: most, now: time(nil))
        let content = key.newest(in: folder)
        seen.withLock { $0 = content }
        return content.flatMap(decoded)
      },
      keep: { work in
        guard let json = try? JSONValue.encoded(work) else { return }
        let content = JSONWriter.write(json, .line)
        // Before it is written: of files of one time, any may be the oldest.
        folder.prune(olderThan: days, keeping: most - 1)
        guard (try? folder.write(content, to: key.name)) != nil else { return }
        key.removeOthers(in: folder)
        seen.withLock { $0 = content }
      },
      forget: {
        key.remove(from: folder)
        seen.withLock { $0 = nil }
      })
    port.isOfOtherVersion = { key.isOfOtherVersion(in: folder) }
    port.wasChangedElsewhere = { key.newest(in: folder) != seen.withLock { $0 } }
    return port
  }

  private static let days = 90
  private static let most = 200

  private static func decoded(_ content: [UInt8]) -> Project? {
    guard let json = try? JSONReader.read(content) else { return nil }
    return try? json.decoded(as: Project.self)
  }
}

/// How a file is found again: by its content, wherever it is, and by a hash of its path, whatever it contains.
private struct WorkKey: Sendable {
  private let content: String
  private let place: String

  var name: String { "\(content).\(place).json" }

  /// How much of the beginning tells files of one size apart.
  private static let headSize = 65_536

  init?(_ path: [UInt8]) {
    let descriptor = open(
      path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var count = 0
    let head = [UInt8](unsafeUninitializedCapacity: Self.headSize) { buffer, filled in
      count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      filled = max(0, count)
    }
    guard count >= 0 else { return nil }
    content = String(status.st_size, radix: 16) + "-" + StateHash.text(head)
    place = StateHash.text(RealPath(path)?.bytes ?? path)
  }

  /// Of copies of a file, the name under which work was kept last.
  func newest(in folder: StateFolder) -> [UInt8]? {
    folder.read(name) ?? ownNames(in: folder).first.flatMap { folder.read($0) }
  }

  func removeOthers(in folder: StateFolder) {
    for other in ownNames(in: folder) where other != name { folder.remove(other) }
  }

  func remove(from folder: StateFolder) {
    for own in ownNames(in: folder) { folder.remove(own) }
  }

  func isOfOtherVersion(in folder: StateFolder) -> Bool {
    folder.names.contains { $0.hasSuffix(".\(place).json") && !$0.hasPrefix("\(content).") }
  }

  private func ownNames(in folder: StateFolder) -> [String] {
    folder.names.filter { $0.hasPrefix("\(content).") }
  }
}
