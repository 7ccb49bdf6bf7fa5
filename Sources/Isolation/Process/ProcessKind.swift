import Glibc

/// How a process that serves operations starts.
struct ProcessKind: Sendable, Hashable {
  /// Whether it loads FFmpeg before it seals itself, which takes longer than reading most files; without, a
  /// file that needs FFmpeg is refused.
  var hasFFmpeg = true
  /// Whether it seals itself.
  var isSealed = true
  /// Whether it works for a batch: its memory limit is never raised.
  var isForTasks = false

  private static let native = "native"
  private static let unsealed = "unsealed"
  private static let tasks = "tasks"

  /// As arguments of the process.
  var words: [String] {
    (hasFFmpeg ? [] : [Self.native]) + (isSealed ? [] : [Self.unsealed])
      + (isForTasks ? [Self.tasks] : [])
  }

  init(hasFFmpeg: Bool = true, isSealed: Bool = true, isForTasks: Bool = false) {
    self.hasFFmpeg = hasFFmpeg
    self.isSealed = isSealed
    self.isForTasks = isForTasks
  }

  /// - Parameter words: arguments of a process.
  init(_ words: some Sequence<String>) {
    for word in words {
      if word == Self.native { hasFFmpeg = false }
      if word == Self.unsealed { isSealed = false }
      if word == Self.tasks { isForTasks = true }
    }
  }
}

/// The resident memory of this process, read from a `/proc` file that was opened before sealing.
struct ResidentMemory {
  private let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  private let pageKibibytes = max(1, sysconf(Int32(_SC_PAGESIZE))) / 1024

  /// The size in KiB; 0 if the system does not report it.
  var kibibytes: Int {
    guard descriptor >= 0 else { return 0 }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * pageKibibytes
  }
}
