import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts

extension EnginePort {
  /// Looks for silence, black, still and changing pictures in one pass, in a sealed process where there is one.
  ///
  /// Blocking.
  ///
  /// - Parameters:
  ///   - isCancelled: called during the work, on any thread.
  ///   - progress: the same, with how much of it is done.
  /// - Throws: ``PlayedMedia/Failure`` where nothing of what was asked for can be looked for.
  func findings(
    in media: DrawnMedia, options: FindOptions,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (CutProgress) -> Void = { _ in }
  ) throws(PlayedMedia.Failure) -> Findings {
    let request = FindRequest(media: media, options: options)
    do throws(EngineFailure) {
      if let answer = try remote?(
        RemoteWork(
          .find, RemoteSearch(request), on: media, isCancelled: isCancelled, progress: progress))
      {
        return try RemoteWork.admitted(answer) { $0.canAnswer(request) }
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    do throws(MediaError) {
      return try Findings(request, isCancelled: isCancelled, progress: progress)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }
}

/// The request to a sealed process for ``Findings``.
struct RemoteSearch: Sendable, Codable {
  private var media: RemoteDrawing
  private var options: FindOptions

  init(_ request: FindRequest) {
    media = RemoteDrawing(request.media, [], tiles: nil)
    options = request.options
  }

  var request: FindRequest { FindRequest(media: media.media, options: options) }
}

extension RemoteWork {
  /// Work on a drawn medium.
  init(
    _ kind: Kind, _ arguments: some Encodable, on media: DrawnMedia,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (CutProgress) -> Void = { _ in }
  ) throws(EngineFailure) {
    do {
      self.init(
        kind: kind, path: media.path, arguments: try JSONValue.encoded(arguments),
        pixels: media.facts.mostPixels, isCancelled: isCancelled, progress: progress)
    } catch {
      throw EngineFailure(any: error)
    }
  }

  /// What came back, if it is what was asked for.
  static func admitted<Value: Decodable>(
    _ result: SealedAnswer, as type: Value.Type = Value.self, if isValid: (Value) -> Bool
  ) throws(EngineFailure) -> Value {
    guard let value = try? result.value.decoded(as: type), isValid(value) else {
      throw EngineFailure(
        MediaError(.internalError, "the sealed process sent an invalid answer"))
    }
    return value
  }
}
