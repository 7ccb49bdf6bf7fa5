import CSystem
import CommandLineKit
import Glibc
import Isolation
import MediaEngine
import MediaFacts

/// A worker process: `trim __worker KIND [unsealed]`.
///
/// It reads requests from standard input and answers each on standard output, until no more come.
/// Before it reads the first, while it has one thread, it drops what it inherited, loads what it
/// will need and seals itself: from then on it can read and write only what is passed to it.
struct WorkerLoop {
  /// The hidden command; not for users.
  static let command = "__worker"
  /// Follows the kind if isolation was turned off.
  static let unsealed = "unsealed"

  /// The maximum address space of a worker, in bytes.
  static let mostMemory: UInt64 = 1536 << 20

  private let runner: TaskRunner
  private let memory: ResidentMemory
  private let output = OutputStream.descriptor(1)

  /// - Parameter words: the command line without the program's name.
  static func runIfAsked(
    _ words: [ArgumentText], commands: CommandSpec, engine: EnginePort, hooks: WorkerHooks
  ) {
    guard words.first?.text == command else { return }
    trim_leave_inheritance(0)
    // The batch decides when its workers end: signals are for the batch.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    trim_tune_allocator()
    let isFull = words.dropFirst().first?.text == WorkerKind.full.rawValue
    if isFull { SealedEngine.load() }
    let memory = ResidentMemory()
    trim_tell_exhaustion_from_crash()
    let seals = words.dropFirst(2).first?.text != unsealed
    let layers = SandboxLayers(rawValue: seals ? trim_enter_sandbox(mostMemory, mostMemory) : 0)
    if seals { SealedEngine.noteSeal(lacking: layers.missingForCompleteness) }
    let runner = TaskRunner(
      commands: commands, engine: isFull ? engine : engine.withoutFFmpeg, hooks: hooks)
    let loop = WorkerLoop(runner: runner, memory: memory)
    loop.output.write(SealGreeting(layers, of: getpid()).line)
    if loop.output.failure != nil { exit(EXIT_FAILURE) }
    loop.run()
    exit(0)
  }

  private init(runner: TaskRunner, memory: ResidentMemory) {
    self.runner = runner
    self.memory = memory
  }

  private func run() {
    var door = WorkerDoor()
    while let (request, descriptors) = door.next() {
      output.write(answer(request, descriptors).line)
      if output.failure != nil { return }
    }
  }

  private func answer(_ request: WorkerRequest, _ descriptors: [Int32]) -> WorkerReply {
    let hooks = Set(runner.hooks.operations.keys)
    let task = BatchTask(
      line: request.line, bytes: request.task, commands: runner.commands, hooks: hooks)
    var reply = WorkerReply()
    let start = ContinuousClock.now
    do throws(BatchFailure) {
      let done = try perform(
        task, named: request.namesPart ? task.file : task.path, descriptors,
        within: .milliseconds(request.milliseconds))
      reply.result = .value(done.result)
      reply.bytes = done.bytes
    } catch {
      reply.failure = error
    }
    reply.milliseconds = (ContinuousClock.now - start).wholeMilliseconds
    reply.memory = memory.kibibytes
    return reply
  }

  private func perform(
    _ task: BatchTask, named name: [UInt8]?, _ descriptors: [Int32], within time: Duration
  ) throws(BatchFailure) -> TaskRunner.Done {
    guard let input = descriptors.first, let path = name else {
      return try runner.perform(task, within: time)
    }
    var files = HandedFiles.Files(input: (path, input))
    var others = descriptors.dropFirst()
    if let output = task.target, let descriptor = others.popFirst() {
      files.output = (output, descriptor)
    }
    files.scratch = Array(others)
    return try HandedFiles.with(files) { () throws(BatchFailure) in
      try runner.perform(task, within: time)
    }
  }
}

/// The resident memory of this process, read from a `/proc` file that was opened before sealing.
private struct ResidentMemory {
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

extension EnginePort {
  /// The engine of a process without FFmpeg: a file that needs FFmpeg is refused.
  fileprivate var withoutFFmpeg: EnginePort {
    var port = self
    port.probe = { (input, options, progress) throws(ProbeError) in
      let prober = Prober(isCancelled: { false })
      let file = try prober.open(input, options, progress)
      guard let facts = try prober.factsWithoutFFmpeg(of: file, options: options) else {
        throw ProbeError(.engineMissing, "this requires FFmpeg")
      }
      return facts
    }
    return port
  }
}
