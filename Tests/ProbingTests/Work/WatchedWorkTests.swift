import Dispatch
import Support
import Synchronization
import Testing

@testable import MediaFiles
@testable import Probing

/// Work that does not return before the test releases it.
private final class EndlessStep: Sendable {
  private let gate = DispatchSemaphore(value: 0)

  func work(_ work: WatchedWork<Int>) -> Int {
    gate.wait()
    return 0
  }

  func release() { gate.signal() }

  /// Computes until it is released.
  func compute() -> Int {
    while gate.wait(timeout: .now()) == .timedOut {}
    return 0
  }
}

private let never = ContinuousClock.now + .seconds(3600)

@Suite(.timeLimit(.minutes(5))) struct `Given work that is watched` {
  /// Runs work on a thread that may wait.
  private func outcome(
    deadline: ContinuousClock.Instant = never, stepLimit: Duration = .seconds(3600),
    standstill: Duration = .seconds(3600),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (ProbeProgress) -> Bool = { _ in true },
    _ body: @escaping @Sendable (WatchedWork<Int>) throws(MediaError) -> Int
  ) async throws -> Result<Int, MediaError> {
    try await BlockingWork.run {
      Result { () throws(MediaError) in
        try WatchedWork.run(
          deadline: deadline, stepLimit: stepLimit, standstill: standstill,
          isCancelled: isCancelled, progress: progress, body)
      }
    }
  }

  @Suite struct `When it returns` {
    let given = `Given work that is watched`()

    @Test func `then its value is returned`() async throws {
      #expect(try await given.outcome { _ in 42 }.get() == 42)
    }

    @Test func `then its error is thrown`() async throws {
      let error = MediaError(.damaged, "broken")
      let result = try await given.outcome { _ throws(MediaError) in throw error }
      #expect(result == .failure(error))
    }

    @Test func `then every report is answered in order`() async throws {
      let seen = Mutex<[Int64]>([])
      let result = try await given.outcome(
        progress: { step in
          seen.withLock { $0.append(step.bytesDone) }
          return step.bytesDone < 3
        },
        { work in
          var steps = 0
          while work.report(ProbeProgress(bytesDone: Int64(steps), bytesTotal: nil)) { steps += 1 }
          return steps
        })
      #expect(try result.get() == 3)
      #expect(seen.withLock { $0 } == [0, 1, 2, 3])
    }

    @Test func `then work that shows progress may take longer than a step`() async throws {
      let result = try await given.outcome(stepLimit: .milliseconds(100)) { work in
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end { _ = work.shouldStop() }
        return 1
      }
      #expect(try result.get() == 1)
    }
  }

  @Suite struct `When it does not return` {
    let given = `Given work that is watched`()

    @Test func `then it is abandoned at the deadline`() async throws {
      let step = EndlessStep()
      defer { step.release() }
      let result = try await given.outcome(deadline: .now) { step.work($0) }
      #expect(throws: MediaError.self) { try result.get() }
      if case .failure(let error) = result { #expect(error.code == .timedOut) }
    }

    @Test func `then it is abandoned when it computes for longer than a step may`() async throws {
      let step = EndlessStep()
      defer { step.release() }
      let result = try await given.outcome(stepLimit: .milliseconds(100)) { _ in step.compute() }
      #expect(throws: MediaError.self) { try result.get() }
      if case .failure(let error) = result { #expect(error.code == .limitExceeded) }
    }

    @Test func `then it is abandoned when it stalls, which is not the file's fault`()
      async throws
    {
      let step = EndlessStep()
      defer { step.release() }
      let result = try await given.outcome(standstill: .milliseconds(100)) { step.work($0) }
      #expect(throws: MediaError.self) { try result.get() }
      if case .failure(let error) = result { #expect(error.code == .timedOut) }
    }

    @Test func `then time that a busy machine takes from it does not count`() async throws {
      let step = EndlessStep()
      let looks = Mutex(0)
      let result = try await given.outcome(
        stepLimit: .milliseconds(100),
        isCancelled: {
          let count = looks.withLock { looks in
            looks += 1
            return looks
          }
          // Called every 50 ms or later.
          if count == 10 { step.release() }
          return false
        }, { step.work($0) })
      #expect(try result.get() == 0)
    }

    @Test func `then it is abandoned when it is cancelled`() async throws {
      let step = EndlessStep()
      defer { step.release() }
      let result = try await given.outcome(isCancelled: { true }, { step.work($0) })
      #expect(throws: MediaError.self) { try result.get() }
      if case .failure(let error) = result { #expect(error.code == .cancelled) }
    }
  }

  @Test func `when it is told to stop then it notices, and its own result counts`() async throws {
    let result = try await outcome(
      isCancelled: { true },
      { work throws(MediaError) in
        while !work.shouldStop() {}
        throw MediaError(.cancelled, "it heard")
      })
    #expect(result == .failure(MediaError(.cancelled, "it heard")))
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a header that takes FFmpeg a long time` {
  /// FFmpeg inserts each of these before all the others.
  private static let cues = EBMLBuilder.element(
    0x1C53_BB6B,
    (0..<60_000).flatMap { number in
      let place = EBMLBuilder.number(0xF7, 1) + EBMLBuilder.number(0xF1, 1)
      return EBMLBuilder.element(
        0xBB, EBMLBuilder.number(0xB3, UInt64(60_000 - number)) + EBMLBuilder.element(0xB7, place))
    })

  @Test func `then it is abandoned, at the limit of a step`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(EBMLBuilder.clip(tags: [], inSegment: Self.cues), to: "clip.mkv")
    var limits = Limits.standard
    limits.step = .milliseconds(50)
    let result = try await BlockingWork.run { [limits] in
      Result { () throws(MediaError) in
        try Prober(limits: limits).probe(.file(path: Array(path.utf8)))
      }
    }
    #expect(throws: MediaError.self) { try result.get() }
    if case .failure(let error) = result { #expect(error.code == .limitExceeded) }
  }
}
