import Synchronization

/// A process that is started when it is first needed, and again where it has ended or is worn out: a
/// picture that kills its decoder, or work that was cancelled, costs no picture after it.
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
      case .open(let process) where process.isFresh: return process
      case .failed(let failure): throw failure
      case .none, .open:
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
