internal import CSystem
internal import Threads

/// All events from a terminal in use, in order: keys, mouse, size changes, signals.
///
/// Reads on a dedicated thread, so that neither the main actor nor the cooperative pool ever waits
/// for a key. There is one reader per terminal; it ends with ``stop()``, or when the terminal is
/// gone.
package final class TerminalInput: Sendable {
  /// The events, for a single consumer.
  package let events: AsyncStream<TerminalEvent>
  private let wake: WakePipe

  /// An escape byte followed by this much silence is the Escape key.
  private static let escapeMilliseconds: Int32 = 30

  /// - Parameter descriptor: A terminal held by a ``TerminalMode``.
  /// - Throws: ``TerminalError/system(code:)`` when no pipe can be made.
  package init(_ descriptor: Int32, environment: [String: String]) throws(TerminalError) {
    let wake = try WakePipe()
    let (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
    self.wake = wake
    self.events = events
    let isStarted = WaitingThread.run {
      var reader = TerminalReader(descriptor: descriptor, wake: wake, environment: environment)
      while let batch = reader.next(silence: Self.escapeMilliseconds) {
        for event in batch { continuation.yield(event) }
      }
      continuation.finish()
    }
    guard isStarted else { throw .system(code: WaitingThread.noThreadLeft) }
  }

  deinit { wake.signal() }

  /// Ends the reading; `events` finishes.
  package func stop() { wake.signal() }
}

/// Wakes the reader's thread; both ends live as long as either side may use them.
final class WakePipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(TerminalError) {
    var readEnd: Int32 = -1
    var writeEnd: Int32 = -1
    let failure = trim_terminal_pipe(&readEnd, &writeEnd)
    guard failure == 0 else { throw .system(code: failure) }
    self.readEnd = readEnd
    self.writeEnd = writeEnd
  }

  deinit {
    trim_terminal_close(readEnd)
    trim_terminal_close(writeEnd)
  }

  func signal() { _ = trim_terminal_write(writeEnd, [0], 1) }
}
