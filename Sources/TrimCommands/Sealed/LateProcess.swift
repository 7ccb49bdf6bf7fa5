import MediaEngine
import Synchronization

/// A process that is started when it is first needed, and again where it has ended or is worn out: a
/// picture that kills its decoder, or work that was cancelled, costs no picture after it.
final class LateProcess: Sendable {
  private let state = Mutex<EngineProcess?>(nil)
  private let make: @Sendable () throws(EngineFailure) -> EngineProcess

  init(_ make: @escaping @Sendable () throws(EngineFailure) -> EngineProcess) { self.make = make }

  /// Asks for something; a second process where the first one dies of it.
  ///
  /// Something else may have killed that one, before it was asked or while it was at work. What kills
  /// its process by itself does so twice.
  func perform<Value>(
    _ request: (EngineProcess) throws(EngineFailure) -> Value
  ) throws(EngineFailure) -> Value {
    do throws(EngineFailure) {
      return try request(process())
    } catch  where error.code == MediaErrorCode.decoderCrashed.rawValue {
      return try request(process())
    }
  }

  private func process() throws(EngineFailure) -> EngineProcess {
    try state.withLock { known throws(EngineFailure) in
      if let known, known.isFresh { return known }
      known = nil
      let process = try make()
      known = process
      return process
    }
  }
}
