import CommandLineKit
import ExactTime
import Isolation
import JSON
import MediaEngine

extension RemoteSearch {
  /// The operation of a sealed process that looks for what is asked for, as in a process of its own.
  static let performing: SealedOperation = { work in
    let request = try work.asked(RemoteSearch.self).request
    let deadline = request.media.deadline
    let found: Findings
    do throws(MediaError) {
      found = try Findings(
        request, isCancelled: { work.isCancelled() || ContinuousClock.now >= deadline },
        progress: { work.report(ProbeProgress(bytesDone: $0.done, bytesTotal: $0.total)) })
    } catch {
      // Nothing else cancels it from within.
      if error.code == .cancelled, ContinuousClock.now >= deadline {
        throw EngineFailure(.tookTooLong)
      }
      throw EngineFailure(error)
    }
    return SealedAnswer(try JSONValue.encoded(found))
  }
}

extension RemoteEdges {
  /// The operation of a sealed process that finds quiet instants, as in a process of its own.
  static let performing: SealedOperation = { work in
    let asked = try work.asked(RemoteEdges.self)
    return SealedAnswer(
      try JSONValue.encoded(asked.instants(isCancelled: work.isCancelled)))
  }
}

extension SealedWork {
  /// The arguments, which are the caller's and so always valid.
  fileprivate func asked<Arguments: Decodable>(_ type: Arguments.Type) throws(EngineFailure)
    -> Arguments
  {
    do {
      return try arguments.decoded(as: type)
    } catch {
      throw EngineFailure.invalidAnswer
    }
  }
}
