import Dispatch
import Synchronization
import Threads

/// Does blocking work on several threads while inputs are still arriving, and delivers the results
/// in input order, or as they complete.
///
/// An input is processed as soon as it arrives, even if the next one never does. At most
/// `lookahead` results wait.
struct StreamedWork<Input: Sendable, Output: Sendable> {
  var workers: Int
  /// Whether a result waits for the results of earlier inputs.
  var keepsOrder = true
  /// Does the work; `nil` means not done, because the run is about to end.
  var work: @Sendable (Input) -> Output?

  private var lookahead: Int { 4 * workers }

  init(
    workers: Int, keepsOrder: Bool = true, work: @escaping @Sendable (Input) -> Output?
  ) {
    self.workers = max(1, workers)
    self.keepsOrder = keepsOrder
    self.work = work
  }

  /// - Parameters:
  ///   - next: waits for the next input, `nil` at the end; called on a dedicated thread.
  ///   - emit: takes a result, on this thread; returns false to stop.
  /// - Returns: `false` if the system has no thread for it.
  func run(next: @escaping @Sendable () -> Input?, emit: (Output) -> Bool) -> Bool {
    let line = WorkLine<Input, Output>(lookahead: lookahead, keepsOrder: keepsOrder)
    let starts = (0..<workers).map { [work] _ in WaitingThread.run { line.serve(work) } }
    guard starts.contains(true), WaitingThread.run({ line.fill(from: next) }) else {
      line.close(workers: workers)
      return false
    }
    while let output = line.nextOutput() {
      if let output, !emit(output) { break }
    }
    line.close(workers: workers)
    return true
  }
}

/// Inputs on their way to the workers, and their results on the way back.
private final class WorkLine<Input: Sendable, Output: Sendable>: Sendable {
  private final class Item: Sendable {
    let input: Input
    let output = Mutex<Output?>(nil)
    let isDone = DispatchSemaphore(value: 0)

    init(_ input: Input) { self.input = input }
  }

  private struct State {
    var undone: [Item] = []
    var unread: [Item] = []
    /// The number of inputs accepted but not yet delivered.
    var underway = 0
    var isAtEnd = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let room: DispatchSemaphore
  private let arrival = DispatchSemaphore(value: 0)
  private let change = DispatchSemaphore(value: 0)
  private let keepsOrder: Bool

  init(lookahead: Int, keepsOrder: Bool) {
    room = DispatchSemaphore(value: lookahead)
    self.keepsOrder = keepsOrder
  }

  func fill(from next: () -> Input?) {
    while let input = next() {
      room.wait()
      let isClosed = state.withLock { state in
        guard !state.isClosed else { return true }
        let item = Item(input)
        state.undone.append(item)
        state.underway += 1
        if keepsOrder { state.unread.append(item) }
        return false
      }
      if isClosed { return }
      arrival.signal()
      if keepsOrder { change.signal() }
    }
    state.withLock { $0.isAtEnd = true }
    change.signal()
  }

  func serve(_ work: (Input) -> Output?) {
    while true {
      arrival.wait()
      guard let item = state.withLock({ $0.undone.isEmpty ? nil : $0.undone.removeFirst() })
      else { return }
      let output = work(item.input)
      item.output.withLock { $0 = output }
      item.isDone.signal()
      guard !keepsOrder else { continue }
      state.withLock { $0.unread.append(item) }
      change.signal()
    }
  }

  /// The next result, which may be empty; `nil` after the last.
  func nextOutput() -> Output?? {
    while true {
      let (item, isOver) = state.withLock { state -> (Item?, Bool) in
        guard !state.unread.isEmpty else { return (nil, state.isAtEnd && state.underway == 0) }
        state.underway -= 1
        return (state.unread.removeFirst(), false)
      }
      if let item {
        item.isDone.wait()
        room.signal()
        return .some(item.output.withLock { $0 })
      }
      if isOver { return nil }
      change.wait()
    }
  }

  /// Drops inputs not yet being processed; each worker ends after its current input.
  func close(workers: Int) {
    state.withLock { state in
      state.isClosed = true
      state.undone.removeAll()
    }
    room.signal()
    for _ in 0..<workers { arrival.signal() }
  }
}
