import CSystem
import Glibc

/// One of FFmpeg's commands in a process that has bound its libraries, which takes longer than making a short
/// clip, and that runs it in a copy of itself as often as a test wants it (Tests/ProgramServer).
final class ProgramServer: Sendable {
  /// The servers by the names of their programs, started when they are first needed; none where
  /// `TRIM_PROGRAM_SERVER` does not name the library that is preloaded.
  static subscript(_ program: String) -> ProgramServer? {
    switch program {
    case "ffmpeg": ffmpeg
    case "ffprobe": ffprobe
    default: nil
    }
  }

  private static let ffmpeg = try? ProgramServer("ffmpeg")
  private static let ffprobe = try? ProgramServer("ffprobe")

  /// The process ends when this is closed, thus with the tests.
  private let control: Int32

  private init?(_ program: String) throws {
    guard let library = getenv("TRIM_PROGRAM_SERVER") else { return nil }
    let (ours, theirs) = try Self.channel(SOCK_SEQPACKET)
    defer { close(theirs) }
    control = ours
    _ = try ProgramRun.spawn(
      [Array(program.utf8)], environment: ["LD_PRELOAD": String(cString: library)],
      streams: [theirs])
  }

  private static func channel(_ type: __socket_type) throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(type.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw ScratchFolder.SystemFailure(call: "socketpair", number: errno)
    }
    return (ends[0], ends[1])
  }

  /// Runs it and waits for it.
  ///
  /// - Parameter limit: the time after which it is killed.
  func run(_ words: [[UInt8]], limit: Duration) throws -> ProgramRun {
    let (out, err) = (trim_open_unnamed_file("/tmp"), trim_open_unnamed_file("/tmp"))
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let (ours, theirs) = try Self.channel(SOCK_STREAM)
    defer { for descriptor in [out, err, nothing, ours] { close(descriptor) } }
    let start = ContinuousClock.now
    let message = Array(words.map { $0 + [0] }.joined())
    let failure = trim_send(control, message, message.count, [nothing, out, err, theirs], 4)
    close(theirs)
    guard failure == 0 else { throw ScratchFolder.SystemFailure(call: "sendmsg", number: failure) }
    var report = (status: Int64(0), peak: Int64(0), busy: Int64(0))
    let isOver = Self.isReadable(ours, until: start + limit)
    if isOver {
      let count = recv(ours, &report, MemoryLayout.size(ofValue: report), 0)
      guard count == MemoryLayout.size(ofValue: report) else {
        throw ScratchFolder.SystemFailure(call: "the program server", number: count < 0 ? errno : 0)
      }
    }
    let status = Int32(truncatingIfNeeded: report.status)
    return ProgramRun(
      ending: isOver ? ProgramRun.ending(of: status) : .overran,
      out: ProgramRun.content(of: out), err: ProgramRun.content(of: err),
      wall: ContinuousClock.now - start, peakBytes: Int(report.peak) * 1024,
      busy: .milliseconds(report.busy))
  }

  private static func isReadable(_ channel: Int32, until end: ContinuousClock.Instant) -> Bool {
    while true {
      let left = max(.zero, end - ContinuousClock.now)
      var event = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      let count = poll(&event, 1, Int32(clamping: left.components.seconds * 1000 + 999))
      if count > 0 { return true }
      if count == 0, ContinuousClock.now >= end { return false }
    }
  }
}
