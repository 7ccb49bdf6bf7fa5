import CommandLineKit
import ExactTime
import MediaEngine

extension EngineServer {
  /// Looks for what is asked for, as in a process of its own.
  func find(_ arguments: JSONValue) throws(EngineFailure) -> JSONValue {
    let asked: RemoteSearch = try EngineProcess.decoded(arguments)
    let request = asked.request
    let found: Findings
    do throws(ProbeError) {
      found = try Findings(
        request,
        isCancelled: { [heartbeat] in
          _ = heartbeat()
          return ContinuousClock.now >= request.media.deadline
        })
    } catch {
      // Nothing else cancels it from within.
      if error.code == .cancelled, ContinuousClock.now >= request.media.deadline {
        throw EngineFailure(.tookTooLong)
      }
      throw EngineFailure(error)
    }
    return try EngineProcess.encoded(found)
  }

  /// Finds quiet instants, as in a process of its own.
  func quiet(_ arguments: JSONValue) throws(EngineFailure) -> JSONValue {
    let asked: RemoteEdges = try EngineProcess.decoded(arguments)
    let found: [MediaTime]
    do throws(ProbeError) {
      found = try asked.instants(isCancelled: heartbeat)
    } catch {
      throw EngineFailure(error)
    }
    return try EngineProcess.encoded(found)
  }
}
