import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

/// Where the parts of files are on the timelines of these, each of which is read once, however many parts it
/// has.
struct PartRanges {
  private let engine: EnginePort
  private let time: Duration?
  private let isOver: @Sendable () -> Bool
  /// What is used again.
  private var known: [Need: PlayedMedia] = [:]
  /// How many uses are still to come; `nil` where that is not known, and everything is kept.
  private var uses: [Need: Int]?

  /// What has to be known of a file.
  private struct Need: Hashable {
    var file: ArgumentText
    var keyframes: Bool
    var frames: Bool

    init(_ item: JoinOptions.Item) {
      file = item.file
      keyframes = item.part.needsKeyframes
      frames = item.part.namesFrames
    }
  }

  /// - Parameters:
  ///   - time: after which a probe gives up; `nil` where `isOver` says so.
  ///   - items: all whose places are asked for, once each; with these, a file is kept only until its last one.
  init(
    _ engine: EnginePort, within time: Duration? = nil, of items: [JoinOptions.Item]? = nil,
    _ isOver: @escaping @Sendable () -> Bool
  ) {
    (self.engine, self.time, self.isOver) = (engine, time, isOver)
    uses = items.map { items in
      items.reduce(into: [:]) { uses, item in uses[Need(item), default: 0] += 1 }
    }
  }

  /// A part of a file, on its own timeline.
  mutating func range(of item: JoinOptions.Item) throws(PlayedMedia.Failure) -> MediaTimeRange {
    let need = Need(item)
    uses?[need, default: 1] -= 1
    let isUsedAgain = uses.map { $0[need, default: 0] > 0 } ?? true
    if let media = known[need] {
      if !isUsedAgain { known[need] = nil }
      return try media.range(of: item.part)
    }
    let media = try media(need, for: item.part)
    if isUsedAgain { known[need] = media }
    return media.part
  }

  private func media(
    _ need: Need, for part: PartExpression
  ) throws(PlayedMedia.Failure) -> PlayedMedia {
    let input = MediaInput.file(path: need.file.bytes)
    var options = ProbeOptions.ofParts(namingKeyframes: need.keyframes)
    if let time { options.timeout = time }
    let facts: MediaFacts
    do throws(MediaError) {
      facts = try engine.probe(input, options) { _ in time != nil || !isOver() }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    var frames: FrameStarts?
    if need.frames {
      do throws(MediaError) {
        frames = try engine.open(input, isOver).frameStarts
      } catch {
        throw PlayedMedia.Failure(
          message: error.message, hint: error.hint, status: error.exitStatus,
          code: error.code.rawValue)
      }
    }
    return try PlayedMedia(facts, location: "", part: part, frames: frames)
  }
}
