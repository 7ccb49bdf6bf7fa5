import Synchronization

/// A process that is started when it is first needed, and once.
final class LateProcess: Sendable {
  private enum State {
    case none
    case open(EngineProcess)
    case failed(EngineFailure)
  }

  private let state = Mutex(State.none)
  private let make: @Sendable () throws(EngineFailure) -> EngineProcess

  init(_ make: @escaping @Sendable () throws(EngineFailure) -> EngineProcess) { self.make = make }

  func process() throws(EngineFailure) -> EngineProcess {
    try state.withLock { state throws(EngineFailure) in
      switch state {
      case .open(let process): return process
      case .failed(let failure): throw failure
      case .none:
        do throws(EngineFailure) {
          let process = try make()
          state = .open(process)
          return process
        } catch {
          state = .failed(error)
          throw error
        }
      }
    }
  }
}
