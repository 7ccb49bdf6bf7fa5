import CSystem
import CommandLineKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A worker process: `trim __worker [FOLDER]`.
///
/// It reads requests from standard input and answers each on standard output, until no more come.
/// Before it reads the first, while it has one thread, it gives up what a reader of media does not
/// need; `FOLDER` is the only place it can write to.
struct WorkerLoop {
  /// The hidden command; nobody types it.
  static let command = "__worker"

  private let layers: SandboxLayers
  private let runner: TaskRunner
  private let output = OutputStream.descriptor(1)

  /// - Parameter words: the command line without the program's name.
  static func runIfAsked(
    _ words: [ArgumentText], engine: EnginePort, hooks: WorkerHooks
  ) {
    guard words.first?.text == command else { return }
    // The batch decides when its workers end: an interruption is for the batch.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    let layers: UInt32
    if words.count > 1 {
      let folder = words[1].bytes.map { CChar(bitPattern: $0) } + [0]
      layers = trim_enter_sandbox(folder)
    } else {
      layers = trim_enter_sandbox(nil)
    }
    trim_tune_allocator()
    let loop = WorkerLoop(
      layers: SandboxLayers(rawValue: layers), runner: TaskRunner(engine: engine, hooks: hooks))
    loop.run()
    exit(0)
  }

  private init(layers: SandboxLayers, runner: TaskRunner) {
    self.layers = layers
    self.runner = runner
  }

  private func run() {
    // A request is a task with a short head before it.
    var reader = LineReader(descriptor: 0, longest: BatchTask.longestLine + 256)
    while case .bytes(let bytes) = reader.next(), let request = WorkerRequest(bytes) {
      output.write(answer(request).bytes)
      if output.failure != nil { return }
    }
  }

  private func answer(_ request: WorkerRequest) -> WorkerReply {
    let hooks = Set(runner.hooks.operations.keys)
    let task = BatchTask(line: request.line, bytes: request.task, hooks: hooks)
    let time = Duration.milliseconds(request.milliseconds)
    // Threads of a codec count too; what lasts longer is ended by the batch.
    trim_limit_processor_time(8 * (time.components.seconds + 1))
    var row = BatchRow(task: task, attempts: request.attempt, sandbox: layers.names)
    row.key = request.key == "-" ? nil : TaskKey(text: request.key)
    let start = ContinuousClock.now
    var status = ExitStatus.success
    do throws(BatchFailure) {
      let done = try runner.perform(task, within: time)
      row.result = done.result
      row.bytes = done.bytes
    } catch {
      row.failure = error
      status = error.status
    }
    row.milliseconds = (ContinuousClock.now - start).wholeMilliseconds
    return WorkerReply(status: status, memory: Self.residentKibibytes, row: row.line)
  }

  /// From `/proc`; 0 where the system does not tell.
  private static var residentKibibytes: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &buffer, buffer.count)
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * (max(1, sysconf(Int32(_SC_PAGESIZE))) / 1024)
  }
}

extension Duration {
  /// Rounded down.
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
