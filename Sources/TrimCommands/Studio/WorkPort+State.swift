import CSystem
import CommandLineKit
import Glibc
import MediaEngine
import TrimStudio
import Trimming

extension WorkPort {
  /// A file for each video in the state directory, found by size and beginning: no path is stored.
  ///
  /// At most 200 are kept, for 90 days; of two studios, the last writer wins.
  static func state(_ path: [UInt8], environment: [String: String]) -> WorkPort? {
    guard let folder = StateFolder("work", environment: environment),
      let name = name(of: path)
    else { return nil }
    return WorkPort(
      load: {
        guard let content = folder.read(name), let json = try? JSONReader.read(content) else {
          return nil
        }
        return try? json.decoded(as: KeptWork.self)
      },
      keep: { work in
        guard let json = try? JSONValue.encoded(work) else { return }
        try? folder.write(JSONWriter.write(json, .line), to: name)
        folder.prune(olderThan: 90, keeping: 200)
      },
      forget: { folder.remove(name) })
  }

  /// How much of the beginning tells files of one size apart.
  private static let headSize = 65_536

  private static func name(of path: [UInt8]) -> String? {
    let descriptor = open(
      path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var count = 0
    let head = [UInt8](unsafeUninitializedCapacity: headSize) { buffer, filled in
      count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      filled = max(0, count)
    }
    guard count >= 0 else { return nil }
    var hash = trim_hash()
    trim_hash_begin(&hash)
    trim_hash_add(&hash, head, head.count)
    return String(status.st_size, radix: 16) + "-" + String(trim_hash_end(&hash), radix: 16)
      + ".json"
  }
}
