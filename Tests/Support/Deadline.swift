/// Ends a wait that would have no end, unless it is over before.
///
/// Its time is counted in short sleeps, each of them past the main actor: where the machine or a
/// test holds everybody up, that costs it a single one, and not what was waited for.
package final class Deadline: Sendable {
  private let countdown: Task<Void, Never>

  package init(after limit: Duration, _ giveUp: @escaping @Sendable () -> Void) {
    countdown = Task.detached {
      let step = Duration.milliseconds(50)
      var left = limit
      while left > .zero {
        do {
          try await Task.sleep(for: step)
        } catch {
          return
        }
        await MainActor.run {}
        left -= step
      }
      if !Task.isCancelled { giveUp() }
    }
  }

  deinit { countdown.cancel() }

  /// What was waited for has come.
  package func cancel() { countdown.cancel() }
}

/// What a test waited for without result.
package struct DidNotCome: Error, CustomStringConvertible {
  package let description: String

  package init(_ wanted: String, within limit: Duration) {
    description = "\(wanted) did not come within \(limit)"
  }
}

/// The first finding in a stream that may go on for ever.
///
/// - Parameter find: `nil` for elements that are passed over.
/// - Throws: ``DidNotCome`` when the stream ends, or the time does, before.
package func first<Element: Sendable, Found: Sendable>(
  _ wanted: String, in stream: AsyncStream<Element>, within limit: Duration = .seconds(1),
  _ find: @escaping @Sendable (Element) -> Found?
) async throws -> Found {
  let reading = Task { () -> Found? in
    for await element in stream { if let found = find(element) { return found } }
    return nil
  }
  let deadline = Deadline(after: limit) { reading.cancel() }
  defer { deadline.cancel() }
  let found = await withTaskCancellationHandler {
    await reading.value
  } onCancel: {
    reading.cancel()
  }
  guard let found else { throw DidNotCome(wanted, within: limit) }
  return found
}

/// Waits for the end of a stream.
///
/// - Throws: ``DidNotCome`` when it goes on.
package func end<Element: Sendable>(
  of wanted: String, in stream: AsyncStream<Element>, within limit: Duration = .seconds(1)
) async throws {
  let reading = Task { () -> Bool in
    for await _ in stream {}
    return !Task.isCancelled
  }
  let deadline = Deadline(after: limit) { reading.cancel() }
  defer { deadline.cancel() }
  guard await reading.value else { throw DidNotCome("the end of \(wanted)", within: limit) }
}
