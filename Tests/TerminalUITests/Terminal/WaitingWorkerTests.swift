import Glibc
import Synchronization
import Testing
import Threads

@testable import TerminalUI

@Suite(.timeLimit(.minutes(1))) struct `Given a worker that waits` {
  private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

  @Test func `its jobs run one after another, on a dedicated thread`() async {
    let (numbers, continuation) = AsyncStream.makeStream(of: (Int, UInt).self)
    let worker = WaitingWorker()
    for number in 0..<100 {
      worker.run { continuation.yield((number, Self.thread)) }
    }
    worker.run { continuation.finish() }
    var done: [Int] = []
    var threads: Set<UInt> = []
    for await (number, thread) in numbers {
      done.append(number)
      threads.insert(thread)
    }
    #expect(done == Array(0..<100))
    #expect(threads.count == 1)
  }

  @Test func `accepted jobs are finished after it is released, and then its thread ends`() async {
    /// Lives as long as the jobs that hold it.
    final class Trace: Sendable {
      let continuation: AsyncStream<Int>.Continuation
      init(_ continuation: AsyncStream<Int>.Continuation) { self.continuation = continuation }
      deinit { continuation.finish() }
    }
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    do {
      let worker = WaitingWorker()
      let trace = Trace(continuation)
      for number in 0..<10 { worker.run { trace.continuation.yield(number) } }
    }
    var done: [Int] = []
    for await number in numbers { done.append(number) }
    #expect(done == Array(0..<10))
  }
}
