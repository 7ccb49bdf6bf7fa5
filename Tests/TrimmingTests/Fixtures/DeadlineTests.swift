import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a test that waits for something that never comes` {
  private static let limit = Duration.milliseconds(100)

  @Test func `then a stream without it ends with an error that names it`() async {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(1)
    let error = await #expect(throws: DidNotCome.self) {
      try await first("a two", in: numbers, within: Self.limit) { $0 == 2 ? $0 : nil }
    }
    #expect(error?.description == "a two did not come within 0.1 seconds")
    continuation.finish()
  }

  @Test func `then a stream that does not end is not waited for forever`() async {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    await #expect(throws: DidNotCome.self) {
      try await end(of: "all numbers", in: numbers, within: Self.limit)
    }
    continuation.finish()
  }

  @Test func `then a clock on which nobody sleeps is an issue`() async {
    await withKnownIssue {
      await ManualClock().sleepers(atLeast: 1, within: Self.limit)
    } matching: {
      $0.description.contains("0 of 1 tasks sleep on the clock")
    }
  }

  @Test func `then events that are not recorded are an issue`() async {
    await withKnownIssue {
      await Recorder<Int>().events(atLeast: 1, within: Self.limit)
    } matching: {
      $0.description.contains("1 events did not come")
    }
  }

  @Test func `then a port that is not called is an issue`() async {
    await withKnownIssue {
      await Door<Int, Int>().calls(atLeast: 1, within: Self.limit)
    } matching: {
      $0.description.contains("1 calls did not come")
    }
  }
}
