import ExactTime
import MediaEngine
import MediaFacts
import MediaFiles
import Probing
import Rendering
import Support
import Testing
import Trimming

/// The probe lists the frames, a cut refers to them, and a screen steps through them.
@Suite(.timeLimit(.minutes(5))) struct `Given files whose frames the probe lists` {
  private static let paths: [String] =
    SampleClips.names.map(SampleClips.path) + (Corpus.shared?.clips.map(\.path) ?? [])

  /// Counted from the first presented sample; `nil` where none is known.
  private static func listed(_ path: [UInt8]) throws -> (starts: [MediaTime], facts: MediaFacts)? {
    let options = ProbeOptions(wantsFrames: true)
    let prober = Prober(isCancelled: { false })
    guard let facts = try? prober.probe(.file(path: path), options: options),
      let track = facts.tracks.first(where: { $0.kind == .video && $0.isPresented }),
      !track.shownFrames.isEmpty, let zero = facts.durations.presented?.start
    else { return nil }
    let starts = try track.shownFrames.map {
      MediaTime(seconds: try $0.time.distance(from: zero).seconds)
    }
    return (starts, facts)
  }

  @Test(arguments: Sample.of(paths, 70))
  func `when a cut counts them then they are the same`(_ path: String) throws {
    let path = Array(path.utf8)
    guard let (starts, _) = try Self.listed(path),
      let clip = try? FileCutter(isCancelled: { false }).open(.file(path: path)),
      // A file that cannot be cut has no frames to cut at.
      (try? clip.plan(CutRequest(range: Self.whole(clip)), for: .matroska)) != nil
    else { return }
    let known = try #require(clip.frameStarts)
    let count = try #require(known.count)
    #expect(Int(count) == starts.count)
    for (number, start) in starts.enumerated() where number < count {
      guard try known.start(ofFrame: Int64(number)) != start else { continue }
      Issue.record("frame \(number): \(try known.start(ofFrame: Int64(number))) and not \(start)")
      return
    }
  }

  @Test(arguments: Sample.of(paths, 70))
  func `when a screen steps through them then they are the same`(_ path: String) throws {
    let path = Array(path.utf8)
    guard let (starts, facts) = try Self.listed(path),
      let zero = facts.durations.presented?.start,
      let track = try? PictureTrack(path, origin: zero)
    else { return }
    #expect(track.frameCount == starts.count)
    for (number, start) in starts.enumerated() where track.frame(number: number).start != start {
      Issue.record("frame \(number): \(track.frame(number: number).start) and not \(start)")
      return
    }
  }

  private static func whole(_ clip: OpenedFile) throws -> MediaTimeRange {
    try MediaTimeRange(from: .zero, length: #require(clip.facts.durations.presented?.length))
  }
}
