import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Containers state less about the end of a file than a plan knows.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with video and audio` {
  static let cuts: [(ending: String, isEncoded: Bool)] = [
    ("mkv", false), ("ts", false), ("mp4", false), ("mkv", true), ("ts", true), ("aac", true),
    ("mp4", true),
  ]

  private static func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libx264", "-g", "25", "-c:a", "aac",
      path,
    ])
    return path
  }

  private static func cut(
    _ path: String, _ range: MediaTimeRange, isEncoded: Bool = false, to output: String
  ) throws -> CutReport {
    var request = CutRequest(range: range)
    if isEncoded { request.audio = .reencode }
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
  }

  private static func presented(_ path: String) throws -> MediaDuration {
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    return try #require(facts.durations.presented?.length)
  }

  @Test(arguments: cuts)
  func `when it is cut then the report states the presented length of the file`(
    _ cut: (ending: String, isEncoded: Bool)
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(in: folder)
    let output = folder.path(of: "cut." + cut.ending)
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(seconds: Rational(82_894, 100_000)),
        to: MediaTime(seconds: Rational(248_029, 100_000))))
    let report = try Self.cut(path, range, isEncoded: cut.isEncoded, to: output)
    #expect(try report.length == Self.presented(output))
    // The number of packets from an encoder is known in advance, apart from rounding to the
    // container's ticks.
    let tick = cut.ending == "mkv" ? MediaDuration(1, 1000) : MediaDuration(1, 90_000)
    #expect((report.plan.length - report.length).magnitude <= tick)
  }

  /// The usual length would be 40 ms.
  @Test func `when the last frame lasts less than a tick of Matroska then it lasts a tick`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(in: folder)
    let output = folder.path(of: "cut.mkv")
    let range = try #require(
      MediaTimeRange(from: MediaTime(1), to: MediaTime(seconds: Rational(20_003, 10_000))))
    var request = CutRequest(range: range)
    request.tracks = TrackChoice(kinds: [.video])
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    #expect(try Self.presented(output) == MediaDuration(1001, 1000))
  }
}
