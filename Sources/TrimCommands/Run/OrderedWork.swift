import CommandLineKit
import Dispatch
import Synchronization
import Threads

/// Does blocking work on several threads and delivers the results in input order.
///
/// The workers are dedicated threads: not from the cooperative pool, nor from Dispatch, which looks
/// up its threads in /proc and crashes where that is not mounted. At most `lookahead` results wait,
/// so memory use stays flat whatever the number of inputs.
struct OrderedWork<Input: Sendable, Output: Sendable> {
  var workers: Int
  var work: @Sendable (Input) -> Output
  /// Starts a thread; `false` if the system has none left.
  ///
  /// Without any, the calling thread does the work.
  var startThread: (@escaping @Sendable () -> Void) -> Bool = { WaitingThread.run($0) }

  private var lookahead: Int { 4 * workers }

  init(workers: Int, work: @escaping @Sendable (Input) -> Output) {
    self.workers = max(1, workers)
    self.work = work
  }

  /// - Parameters:
  ///   - next: returns the next input, `nil` at the end; called on this thread.
  ///   - emit: takes a result, on this thread; returns false to stop.
  func run<Failure: Error>(
    next: () throws(Failure) -> Input?, emit: (Input, Output) -> Bool
  ) throws(Failure) {
    let queue = WorkQueue<Input, Output>()
    let starts = (0..<(workers > 1 ? workers : 0)).map { [work] _ in
      startThread { queue.serve(work) }
    }
    guard starts.contains(true) else {
      while let input = try next() {
        guard emit(input, work(input)) else { return }
      }
      return
    }
    defer { queue.close(workers: workers) }
    var waiting: [WorkItem<Input, Output>] = []
    var isAtEnd = false
    while true {
      while !isAtEnd, waiting.count < lookahead {
        guard let input = try next() else {
          isAtEnd = true
          break
        }
        let item = WorkItem<Input, Output>(input)
        waiting.append(item)
        queue.add(item)
      }
      guard !waiting.isEmpty else { return }
      let first = waiting.removeFirst()
      guard let output = first.awaitOutput(), emit(first.input, output) else { return }
    }
  }
}

/// One input and, once it is done, its output.
private final class WorkItem<Input: Sendable, Output: Sendable>: Sendable {
  let input: Input
  private let output = Mutex<Output?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ input: Input) { self.input = input }

  func finish(with value: Output) {
    output.withLock { $0 = value }
    isDone.signal()
  }

  func awaitOutput() -> Output? {
    isDone.wait()
    return output.withLock { $0 }
  }
}

/// Hands items to the workers in FIFO order.
private final class WorkQueue<Input: Sendable, Output: Sendable>: Sendable {
  private let items = Mutex<[WorkItem<Input, Output>]>([])
  private let available = DispatchSemaphore(value: 0)

  func add(_ item: WorkItem<Input, Output>) {
    items.withLock { $0.append(item) }
    available.signal()
  }

  /// Drops items that are no longer needed; each worker ends after its current one.
  func close(workers: Int) {
    items.withLock { $0.removeAll() }
    for _ in 0..<workers { available.signal() }
  }

  func serve(_ work: (Input) -> Output) {
    while true {
      available.wait()
      guard let item = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      item.finish(with: work(item.input))
    }
  }
}
