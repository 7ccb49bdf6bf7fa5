import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

extension JoinOptions.Item {
  /// The part of the file, on its own timeline.
  ///
  /// - Parameter time: after which the probe gives up; `nil` where `isOver` says so.
  func range(
    _ engine: EnginePort, within time: Duration? = nil, _ isOver: @escaping @Sendable () -> Bool
  ) throws(PlayedMedia.Failure) -> MediaTimeRange {
    let input = MediaInput.file(path: file.bytes)
    var options = ProbeOptions.ofParts(namingKeyframes: part.needsKeyframes)
    if let time { options.timeout = time }
    let facts: MediaFacts
    do throws(ProbeError) {
      facts = try engine.probe(input, options) { _ in time != nil || !isOver() }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    var frames: FrameStarts?
    if part.namesFrames {
      do throws(CutError) {
        frames = try engine.open(input, isOver).frameStarts
      } catch {
        throw PlayedMedia.Failure(
          message: error.message, hint: error.hint, status: error.exitStatus,
          code: error.code.rawValue)
      }
    }
    return try PlayedMedia(facts, location: "", part: part, frames: frames).part
  }
}
