import MediaEngine
import Synchronization

/// A process that is started when first needed, and restarted when it has ended or served its maximum number
/// of requests: a picture that crashes its decoder, or cancelled work, does not affect later pictures.
final class LateProcess: Sendable {
  private let state = Mutex<EngineProcess?>(nil)
  private let make: @Sendable () throws(EngineFailure) -> EngineProcess

  init(_ make: @escaping @Sendable () throws(EngineFailure) -> EngineProcess) { self.make = make }

  /// Sends a request, and retries in a second process if the first one dies.
  ///
  /// Something else may have killed the first one, before the request or during it. A request that crashes
  /// its process does so twice.
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
