import Dispatch
import Synchronization
import TerminalUI

/// Does blocking work on several threads while the inputs are still coming, and hands the results
/// on in their order.
///
/// An input is worked on as soon as it is there, even when the next one never comes. At most
/// `lookahead` results wait.
struct StreamedWork<Input: Sendable, Output: Sendable> {
  var workers: Int
  /// `nil`: left undone, because the run is about to end.
  var work: @Sendable (Input) -> Output?

  private var lookahead: Int { 4 * workers }

  init(workers: Int, work: @escaping @Sendable (Input) -> Output?) {
    self.workers = max(1, workers)
    self.work = work
  }

  /// - Parameters:
  ///   - next: waits for the next input, `nil` at the end; called on a thread of its own.
  ///   - emit: takes a result, on this thread; returns false to stop.
  /// - Returns: false when the system has no thread for it.
  func run(next: @escaping @Sendable () -> Input?, emit: (Output) -> Bool) -> Bool {
    let line = WorkLine<Input, Output>(lookahead: lookahead)
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
    var isAtEnd = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let room: DispatchSemaphore
  private let arrival = DispatchSemaphore(value: 0)
  private let order = DispatchSemaphore(value: 0)

  init(lookahead: Int) { room = DispatchSemaphore(value: lookahead) }

  func fill(from next: () -> Input?) {
    while let input = next() {
      room.wait()
      let isClosed = state.withLock { state in
        guard !state.isClosed else { return true }
        let item = Item(input)
        state.undone.append(item)
        state.unread.append(item)
        return false
      }
      if isClosed { return }
      arrival.signal()
      order.signal()
    }
    state.withLock { $0.isAtEnd = true }
    order.signal()
  }

  func serve(_ work: (Input) -> Output?) {
    while true {
      arrival.wait()
      guard let item = state.withLock({ $0.undone.isEmpty ? nil : $0.undone.removeFirst() })
      else { return }
      let output = work(item.input)
      item.output.withLock { $0 = output }
      item.isDone.signal()
    }
  }

  /// The next result in order, which may be none; `nil` behind the last.
  func nextOutput() -> Output?? {
    order.wait()
    guard let item = state.withLock({ $0.unread.isEmpty ? nil : $0.unread.removeFirst() })
    else { return nil }
    item.isDone.wait()
    room.signal()
    return .some(item.output.withLock { $0 })
  }

  /// What nobody works on yet is dropped; each worker ends after its present input.
  func close(workers: Int) {
    state.withLock { state in
      state.isClosed = true
      state.undone.removeAll()
    }
    room.signal()
    for _ in 0..<workers { arrival.signal() }
  }
}
