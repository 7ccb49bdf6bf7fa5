import CommandLineKit
import ExactTime
import MediaEngine

extension EnginePort {
  /// Looks for silence, black, still and changing pictures in one pass, in a sealed process where there is one.
  ///
  /// Blocking.
  ///
  /// - Parameter isCancelled: called during the work, on any thread.
  /// - Throws: ``PlayedMedia/Failure`` where nothing of what was asked for can be looked for.
  func findings(
    in media: DrawnMedia, options: FindOptions,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(PlayedMedia.Failure) -> Findings {
    let request = FindRequest(media: media, options: options)
    do throws(EngineFailure) {
      if let answer = try remote?(
        RemoteWork(
          operation: .find, path: media.path,
          arguments: EngineProcess.encoded(EngineArguments.Find(request)),
          pixels: media.facts.mostPixels, isCancelled: isCancelled))
      {
        let found: Findings = try EngineProcess.decoded(answer.value)
        guard let admitted = found.admitted(for: request) else {
          throw EngineProcess.invalidAnswer
        }
        return admitted
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    do throws(ProbeError) {
      return try Findings(request, isCancelled: isCancelled)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }
}

extension EngineArguments {
  struct Find: Sendable, Codable {
    private var media: RemoteDrawing
    private var options: FindOptions

    init(_ request: FindRequest) {
      media = RemoteDrawing(request.media, [], tiles: nil)
      options = request.options
    }

    var request: FindRequest { FindRequest(media: media.media, options: options) }
  }
}

extension EngineServer {
  /// Looks for what is asked for, as in a process of its own.
  func find(_ arguments: JSONValue) throws(EngineFailure) -> JSONValue {
    let asked: EngineArguments.Find = try EngineProcess.decoded(arguments)
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
}
