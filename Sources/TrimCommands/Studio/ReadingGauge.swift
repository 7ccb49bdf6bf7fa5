import Synchronization
import TrimStudio

/// How much of a file has been read, written by the thread that reads it.
final class ReadingGauge: Sendable {
  private let state = Mutex(StudioEntry.Reading())

  var value: StudioEntry.Reading {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
