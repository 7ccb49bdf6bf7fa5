/// Ends a wait that would not end, unless it ends before.
///
/// Its time is counted in short sleeps, each via the main actor: if the machine or a test stalls
/// everything, that costs a single sleep, and not the whole wait.
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

  /// The awaited event has occurred.
  package func cancel() { countdown.cancel() }
}

/// What a test waited for in vain.
package struct DidNotCome: Error, CustomStringConvertible {
  package let description: String

  package init(_ wanted: String, within limit: Duration) {
    description = "\(wanted) did not come within \(limit)"
  }
}

/// The first match in a stream that may never end.
///
/// - Parameter find: `nil` for elements that are skipped.
/// - Throws: ``DidNotCome`` when the stream or the time ends first.
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
/// - Throws: ``DidNotCome`` when it does not end.
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
