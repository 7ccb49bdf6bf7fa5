import CSystem
import Glibc
import JSON
import MediaEngine
import Synchronization

/// The process in which FFmpeg reads the files of a command: `trim __engine SIBLINGS [KIND]`.
///
/// It reads requests from standard input and answers each on standard output, until no more come.
/// Before it reads the first, while it has one thread, it drops what it inherited, loads what it
/// will need and seals itself: from then on it can read and write only what is passed to it.
struct EngineLoop {
  /// The hidden command; not for users.
  static let command = "__engine"

  /// The initial and the maximum address space of such a process, in bytes.
  private static let memory: UInt64 = 1536 << 20
  private static let mostMemory: UInt64 = 16 << 30

  /// The memory for encoding: an encoder looks dozens of pictures ahead and holds several copies of
  /// each.
  static func memory(forPixels pixels: Int64) -> UInt64 {
    memory + UInt64(max(0, min(pixels, Limits.standard.pixels))) * 384
  }

  private let server: EngineServer
  private let voice: EngineVoice
  private let resident: ResidentMemory

  /// - Parameter words: the command line without the program's name.
  static func runIfAsked(_ words: [[UInt8]], _ operations: SealedOperations) {
    guard words.first == Array(command.utf8) else { return }
    let options = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let siblings = options.first.flatMap(Int32.init) ?? 0
    let kind = ProcessKind(options.dropFirst())
    trim_leave_inheritance(siblings)
    // The command decides when its processes end: signals are for the command.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    trim_tune_allocator()
    if kind.hasFFmpeg { SealedEngine.load() }
    // Fork siblings only now: loading FFmpeg takes longer than reading most files.
    trim_make_siblings(siblings)
    let resident = ResidentMemory()
    trim_tell_exhaustion_from_crash()
    let most = kind.isForTasks ? memory : mostMemory
    let layers = SandboxLayers(rawValue: kind.isSealed ? trim_enter_sandbox(memory, most) : 0)
    if kind.isSealed { SealedEngine.noteSeal(lacking: layers.missingForCompleteness) }
    let voice = EngineVoice()
    voice.write(SealGreeting(layers, of: getpid()).line)
    let loop = EngineLoop(
      server: EngineServer(operations, voice: voice, hasFFmpeg: kind.hasFFmpeg), voice: voice,
      resident: resident)
    loop.run()
    exit(0)
  }

  private func run() {
    var reader = EngineMessage.Reader()
    var descriptors: [Int32] = []
    while receive(into: &reader, &descriptors) {
      guard let request = try? reader.next() else { continue }
      let came = descriptors
      descriptors = []
      var answer = server.answer(request, came)
      answer.add("memory", .integer(resident.kibibytes))
      voice.say(answer)
    }
  }

  private func receive(
    into reader: inout EngineMessage.Reader, _ descriptors: inout [Int32]
  ) -> Bool {
    var found = [Int32](repeating: -1, count: Int(TRIM_MOST_DESCRIPTORS))
    var count: Int32 = 0
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self)
      guard let base = bytes.baseAddress else { return false }
      let received = trim_receive(STDIN_FILENO, base, bytes.count, &found, &count)
      guard received > 0 else { return false }
      descriptors += found[..<Int(count)]
      reader.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<received]))
      return true
    }
  }
}

/// What the process writes to standard output; usable from any thread.
final class EngineVoice: Sendable {
  private let turn = Mutex(())
  private let lastBeat = Mutex(ContinuousClock.now)
  private let lastReport = Mutex(ContinuousClock.now)

  private static var distance: Duration { .milliseconds(100) }

  func say(_ message: EngineMessage) {
    write(message.bytes)
  }

  /// Ends the process if writing fails: the waiting side then sees it end instead of getting no
  /// answer.
  func write(_ bytes: [UInt8]) {
    turn.withLock { _ in
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
          Glibc.write(STDOUT_FILENO, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        }
        if count >= 0 { done += count } else if errno != EINTR { _exit(EXIT_FAILURE) }
      }
    }
  }

  /// Called frequently by the work to signal that it continues.
  func beat() {
    if isTime(lastBeat) { say(EngineMessage(head: .object(["beat": .bool(true)]))) }
  }

  /// Called frequently by the work to report its progress.
  func report(_ done: Int64, of total: Int64?) {
    guard isTime(lastReport) else { return }
    say(
      EngineMessage(
        head: .object(["progress": .array([.integer(done), .optional(total)])])))
  }

  private func isTime(_ last: borrowing Mutex<ContinuousClock.Instant>) -> Bool {
    last.withLock { last in
      let now = ContinuousClock.now
      guard now - last >= Self.distance else { return false }
      last = now
      return true
    }
  }
}
