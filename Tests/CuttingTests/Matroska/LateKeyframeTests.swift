import ExactTime
import MediaFacts
import Probing
import Support
import Testing
import Trimming

@testable import Cutting

/// A recording that starts mid-GOP: the rest of a GOP, of which nothing can be shown, comes first.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures without PTS, the first of which is not a keyframe` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var ending: String
    var words: [String]
    var testDescription: String { "\(words[1]), .\(ending)" }
  }

  static let clips = [
    Clip(ending: "avi", words: ["-c:v", "libx264", "-x264-params", "scenecut=0:open-gop=0"]),
    Clip(ending: "h264", words: ["-c:v", "libx264", "-x264-params", "scenecut=0:open-gop=0"]),
    Clip(ending: "avi", words: ["-c:v", "mpeg4", "-q:v", "3"]),
    Clip(ending: "asf", words: ["-c:v", "mpeg4", "-q:v", "3"]),
    Clip(ending: "m4v", words: ["-c:v", "mpeg4", "-q:v", "3", "-f", "m4v"]),
    Clip(ending: "avi", words: ["-c:v", "mpeg2video", "-q:v", "3"]),
    Clip(ending: "m2v", words: ["-c:v", "mpeg2video", "-q:v", "3"]),
  ]
  /// The index of the second keyframe, and the number of pictures.
  static let (first, count) = (12, 100)

  /// - Returns: the whole clip, and the clip without its first five packets.
  private static func make(
    _ clip: Clip, in folder: ScratchFolder
  ) async throws -> (whole: String, late: String) {
    let whole = folder.path(of: "whole." + clip.ending)
    let late = folder.path(of: "late." + clip.ending)
    let format = clip.ending == "m4v" ? ["-f", "m4v"] : []
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4"]
        + clip.words + ["-bf", "2", "-g", "12", whole])
    _ = try await EncodedClip.ffmpeg(
      ["-v", "fatal", "-i", whole, "-c", "copy", "-copyinkf", "-bsf:v"]
        + ["noise=amount=1000000000:drop=lt(n\\,5)"] + format + [late])
    return (whole, late)
  }

  @Test(arguments: clips)
  func `when it is probed then it begins with the first keyframe`(_ clip: Clip) async throws {
    let folder = try ScratchFolder()
    let (_, late) = try await Self.make(clip, in: folder)
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(late.utf8)))
    let track = try #require(facts.tracks.first)
    let frames = Int64(Self.count - Self.first)
    let length = try #require(track.durations.presented?.length)
    // ASF counts milliseconds.
    #expect(length > MediaDuration(frames * 40 - 3, 1000), "\(length)")
    #expect(length < MediaDuration(frames * 40 + 3, 1000), "\(length)")
    #expect(facts.notes.contains { $0.id == .beforeKeyframe })
  }

  @Test(arguments: clips)
  func `when it is cut then frames are counted from there`(_ clip: Clip) async throws {
    let folder = try ScratchFolder()
    let (whole, late) = try await Self.make(clip, in: folder)
    let opened = try FileCutter(isCancelled: { false }).open(.file(path: Array(late.utf8)))
    let starts = try #require(opened.frameStarts)
    #expect(starts.count == Int64(Self.count - Self.first))
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 9), to: starts.start(ofFrame: 60)))
    let output = folder.path(of: "cut.mkv")
    _ = try opened.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let source = try await EncodedClip.pictures(of: whole)
    #expect(source.count == Self.count)
    let cut = try await EncodedClip.pictures(of: output)
    #expect(cut.count == 51)
    let places = cut.map { source.firstIndex(of: $0) }
    #expect(places.count { $0 != nil } >= 24)
    let wrong = places.enumerated().contains { ($1 ?? Self.first + 9 + $0) != Self.first + 9 + $0 }
    #expect(!wrong, "\(places)")
  }

  /// Without an edit list that hides them.
  @Test(arguments: ["mpeg4", "mpeg2video"], ["mp4", "mkv"])
  func `when leading pictures of the first keyframe lack their reference then no probe counts them`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (whole, late) = (folder.path(of: "whole.mkv"), folder.path(of: "late." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", codec,
      "-q:v", "3", "-bf", "2", "-g", "12", whole,
    ])
    let edits = ending == "mp4" ? ["-use_editlist", "0", "-avoid_negative_ts", "disabled"] : []
    // The second GOP begins with the eleventh packet: a keyframe with two leading pictures.
    _ = try await EncodedClip.ffmpeg(
      ["-v", "fatal", "-i", whole, "-c", "copy", "-bsf:v"]
        + ["noise=amount=1000000000:drop=lt(n\\,10)"] + edits + [late])
    for depth in [RequestedDepth.header, .packets, .frames] {
      if depth == .header, ending == "mkv" { continue }
      let facts = try Prober(isCancelled: { false }).probe(
        .file(path: Array(late.utf8)), options: ProbeOptions(depth: depth))
      let track = try #require(facts.tracks.first)
      #expect(track.durations.presented?.length == MediaDuration(88, 25), "\(depth)")
      #expect(track.frameCount == 88, "\(depth)")
    }
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(20, 25)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(late.utf8))).cut(
      CutOrder(
        CutRequest(range: range, verification: .full), to: Array(folder.path(of: "cut.mkv").utf8)))
    #expect(report.plan.frames == 20)
  }
}
