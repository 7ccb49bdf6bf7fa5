import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import TrimCommands

/// The frames that `trim probe --frames --keyframes` lists are the ones that `trim cut` takes by
/// name.
@Suite(
  .enabled(if: NamedClip.isPossible, "ffmpeg's command is not installed"), .timeLimit(.minutes(2)))
struct `Given files whose containers state differently when frames begin` {
  /// A file as listed by the probe, and opened to be cut.
  private struct Opened {
    let facts: MediaFacts
    let clip: OpenedFile
    /// Counted from the first presented sample.
    let starts: [MediaTime]
    let keyframes: [KeyframeFacts]

    init(_ clip: NamedClip, in folder: ScratchFolder) async throws {
      let path = try await clip.make(in: folder)
      facts = try Prober(isCancelled: { false }).probe(
        .file(path: path), options: ProbeOptions(wantsKeyframes: true, wantsFrames: true))
      self.clip = try FileCutter(isCancelled: { false }).open(.file(path: path))
      let zero = facts.durations.presented?.start ?? .zero
      let track = try #require(facts.tracks.first { $0.kind == .video })
      starts = try track.shownFrames.map {
        MediaTime(seconds: try $0.time.distance(from: zero).seconds)
      }
      keyframes = track.keyframes
    }

    /// As `trim cut` plans it.
    func plan(_ part: PartExpression, into container: OutputContainer) throws -> CutPlan {
      var bare = facts
      for place in bare.tracks.indices { bare.tracks[place].shownFrames = [] }
      let frames = part.namesFrames ? clip.frameStarts : nil
      let found = try PlayedMedia(bare, location: "", part: part, frames: frames)
      return try clip.plan(CutRequest(range: found.part), for: container)
    }
  }

  private static func pictures(of plan: CutPlan) throws -> (count: Int, lead: Int?, from: MediaTime)
  {
    let track = try #require(plan.parts[0].tracks.first { $0.video != nil })
    let video = try #require(track.video)
    return (video.shownCount, video.lead, track.sourceRange.start)
  }

  @Test(arguments: NamedClip.all)
  func `when a part is named by frames then it begins and ends with the frames of the probe`(
    _ named: NamedClip
  ) async throws {
    let opened = try await Opened(named, in: ScratchFolder())
    let count = opened.starts.count
    #expect(count > 20)
    for container in named.outputs {
      for frame in 0..<count {
        let from = try Self.pictures(
          of: opened.plan(PartExpression(from: .frame(Int64(frame))), into: container))
        #expect(from.count == count - frame, "--from \(frame)f into \(container)")
        // An edit list may have hidden the beginning of the first.
        #expect(from.lead == nil || frame == 0, "--from \(frame)f into \(container)")
        guard frame > 0 else { continue }
        let to = try Self.pictures(
          of: opened.plan(PartExpression(end: .to(.frame(Int64(frame)))), into: container))
        #expect(to.count == frame, "--to \(frame)f into \(container)")
      }
    }
  }

  @Test(arguments: NamedClip.all)
  func `when a time is typed as it is displayed then it names the frame that was displayed`(
    _ named: NamedClip
  ) async throws {
    let opened = try await Opened(named, in: ScratchFolder())
    let count = opened.starts.count
    for container in named.outputs {
      for frame in 1..<count {
        let time = try TimeExpression(
          parsing: DecimalText.clock(opened.starts[frame].seconds))
        let from = try Self.pictures(of: opened.plan(PartExpression(from: time), into: container))
        #expect(from.count == count - frame, "--from \(time) into \(container)")
        #expect(from.lead == nil, "--from \(time) into \(container)")
        let to = try Self.pictures(
          of: opened.plan(PartExpression(end: .to(time)), into: container))
        #expect(to.count == frame, "--to \(time) into \(container)")
      }
    }
  }

  @Test(arguments: NamedClip.all)
  func `when a part is named by a keyframe then it is the one with that number in the probe`(
    _ named: NamedClip
  ) async throws {
    let opened = try await Opened(named, in: ScratchFolder())
    #expect(opened.keyframes.count > 1)
    for (place, key) in opened.keyframes.enumerated() {
      let number = Int64(place) + 1
      let part = PartExpression(from: .keyframe(number))
      guard let frame = key.frame else {
        #expect(throws: PlayedMedia.Failure.self) { try opened.plan(part, into: .matroska) }
        continue
      }
      let from = try Self.pictures(of: opened.plan(part, into: .matroska))
      #expect(from.count == opened.starts.count - frame, "--from k\(number)")
      #expect(from.lead == nil || frame == 0, "--from k\(number)")
    }
  }

  @Test(arguments: NamedClip.all)
  func `when it is shown without pictures then its frames match the probe`(
    _ named: NamedClip
  ) async throws {
    let opened = try await Opened(named, in: ScratchFolder())
    let clip = try PlayedMedia(opened.facts, location: "", part: PartExpression())
    #expect(clip.timings.frames == FrameInstants(opened.starts))
    for frame in opened.starts.indices {
      let part = PartExpression(from: .frame(Int64(frame)))
      let range = try part.resolve(in: clip.context)
      #expect(range.start == opened.starts[frame])
    }
    let kept = clip.facts.tracks.flatMap(\.shownFrames)
    #expect(kept.isEmpty)
  }
}
