import Synchronization
import Testing

@testable import TerminalUI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(.timeLimit(.minutes(1))) struct `Given a worker that waits` {
  private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

  @Test func `its works are done one after another, on one thread of their own`() async {
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

  @Test func `what it has taken is done though it is let go, and then its thread ends`() async {
    /// Lives as long as the works that hold it.
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
