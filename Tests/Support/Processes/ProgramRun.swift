import CSystem
import Dispatch
import Glibc
import Synchronization

/// A program that was run to its end: how it ended, what it wrote and what it cost.
package struct ProgramRun: Sendable {
  /// How a program ended.
  package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(Int32)
    /// The run exceeded its time limit and was killed.
    case overran
  }

  package var ending: Ending
  package var out: [UInt8]
  package var err: [UInt8]
  package var wall: Duration
  /// The most memory it held at once, in bytes (`ru_maxrss`).
  package var peakBytes: Int
  /// Its CPU time, about what it takes on an idle machine.
  package var busy: Duration

  package var outText: String { String(decoding: out, as: UTF8.self) }
  package var errText: String { String(decoding: err, as: UTF8.self) }

  /// `nil` unless it exited by itself.
  package var status: Int32? {
    if case .exited(let status) = ending { status } else { nil }
  }

  /// What standard input sends.
  package enum Input: Sendable {
    case nothing
    case file(String)
    /// Through a pipe that is closed at the end, so many bytes at a time.
    case pieces([UInt8], of: Int)
    /// Through a pipe that then stays open for as long as the program lives.
    case stalling([UInt8])
  }

  /// Runs a program and waits for it; a run of FFmpeg's commands may be one that was made before for
  /// the same words and files.
  ///
  /// - Parameters:
  ///   - words: all of `argv`, the program's path first; one without a slash is looked up.
  ///   - limit: the time after which it is killed.
  package init(
    _ words: [[UInt8]], input: Input = .nothing, environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(60)
  ) async throws {
    if case .nothing = input, environment.isEmpty, folder == nil, let words = FFmpegWords(words) {
      self = try await RepeatedRuns.shared.run(words, limit: limit)
      return
    }
    self = try await BlockingWork.run {
      try ProgramRun(
        blocking: words, input: input, environment: environment, folder: folder, limit: limit)
    }
  }

  init(
    blocking words: [[UInt8]], input: Input = .nothing, environment: [String: String] = [:],
    folder: String? = nil, limit: Duration = .seconds(60)
  ) throws {
    let streams = (
      out: trim_open_unnamed_file("/tmp"), err: trim_open_unnamed_file("/tmp"),
      report: trim_open_unnamed_file("/tmp")
    )
    defer { for stream in [streams.out, streams.err, streams.report] { close(stream) } }
    let feed = try StandardInputFeed(input)
    let start = ContinuousClock.now
    let process = try Self.spawn(
      try Self.metered(words, in: folder), environment: environment,
      streams: [feed.readEnd, streams.out, streams.err, streams.report])
    feed.start()
    let watchdog = Watchdog(process, limit: limit)
    watchdog.wait()
    wall = ContinuousClock.now - start
    feed.finish()
    let report = String(decoding: Self.content(of: streams.report), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard report.count == 3 || watchdog.hasBitten else {
      throw ScratchFolder.SystemFailure(call: "the process meter", number: 0)
    }
    let status = Int32(truncatingIfNeeded: report.first ?? 0)
    ending = watchdog.hasBitten ? .overran : Self.ending(of: status)
    peakBytes = (report.count > 1 ? report[1] : 0) * 1024
    busy = .milliseconds(report.count > 2 ? report[2] : 0)
    out = Self.content(of: streams.out)
    err = Self.content(of: streams.err)
  }

  init(
    ending: Ending, out: [UInt8], err: [UInt8], wall: Duration, peakBytes: Int, busy: Duration
  ) {
    (self.ending, self.out, self.err) = (ending, out, err)
    (self.wall, self.peakBytes, self.busy) = (wall, peakBytes, busy)
  }

  /// - Parameter status: as `waitpid` gives it.
  static func ending(of status: Int32) -> Ending {
    let low = status & 0x7F
    return low == 0 ? .exited(status >> 8 & 0xFF) : .killed(low)
  }

  private static func metered(_ words: [[UInt8]], in folder: String?) throws -> [[UInt8]] {
    guard let meter = ChildProcess.path(ofExecutable: "ProcessMeter") else {
      throw ScratchFolder.SystemFailure(call: "the process meter", number: ENOENT)
    }
    let moved = folder.map { ["env", "-C", $0].map { Array($0.utf8) } } ?? []
    return [Array(meter.utf8)] + moved + words
  }

  static func content(of descriptor: Int32) -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  static func spawn(
    _ words: [[UInt8]], environment: [String: String], streams: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var variables = ["SWIFT_BACKTRACE": "enable=no", "LANG": "C.UTF-8"]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "ASAN_OPTIONS"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables.merge(environment) { $1 }
    var process = pid_t()
    let failure = withCStrings(words) { argv in
      withCStrings(variables.map { Array("\($0.key)=\($0.value)".utf8) }) { envp in
        posix_spawnp(&process, argv[0] ?? strdup(""), &actions, &attributes, argv, envp)
      }
    }
    guard failure == 0 else {
      throw ScratchFolder.SystemFailure(call: "posix_spawnp", number: failure)
    }
    return process
  }

  private static func withCStrings<Result>(
    _ words: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = words.map { word in strdup((word + [0]).map(CChar.init(bitPattern:))) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// Waits for a process and kills it when it takes too long.
private final class Watchdog: Sendable {
  private let process: pid_t
  private let state = Mutex((isOver: false, hasBitten: false))

  var hasBitten: Bool { state.withLock { $0.hasBitten } }

  init(_ process: pid_t, limit: Duration) {
    self.process = process
    let seconds = limit.components.seconds
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(max(1, seconds)))) {
      [weak self] in self?.bite()
    }
  }

  private func bite() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.hasBitten = true
      kill(process, SIGKILL)
    }
  }

  func wait() {
    // Waits without reaping first, so that the signal cannot hit another process with a reused ID.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    state.withLock { $0.isOver = true }
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
