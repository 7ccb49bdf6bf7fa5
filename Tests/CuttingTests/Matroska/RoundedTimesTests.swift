import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Matroska, which rounds frame times to milliseconds` {
  private func opened(_ folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.mkv")
    // One frame lasts 1.2333 s.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30/37:duration=20", "-c:v",
      "libx264", "-g", "2", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  /// With a known rate, frame times are right to half a millisecond; 0.5005 is exactly that far from 0.5.
  @Test(arguments: [-500, -400, 0, 400, 500] as [Int64], [OutputContainer.matroska, .mp4])
  func `when OUT is where a frame begins apart from rounding then the frame is left out`(
    _ microseconds: Int64, _ container: OutputContainer
  ) async throws {
    let clip = try await opened(ScratchFolder())
    let starts = try #require(clip.frameStarts)
    let shift = MediaDuration(microseconds, 1_000_000)
    let range = try #require(
      MediaTimeRange(
        from: starts.start(ofFrame: 4).advanced(by: shift),
        to: starts.start(ofFrame: 8).advanced(by: shift)))
    let plan = try clip.plan(CutRequest(range: range), for: container)
    #expect(plan.frames == 4)
    #expect(plan.encodedFrames == 0)
  }

  @Test func `when OUT is later than that then the frame is shown up to there`() async throws {
    let clip = try await opened(ScratchFolder())
    let starts = try #require(clip.frameStarts)
    let end = try starts.start(ofFrame: 8).advanced(by: MediaDuration(2, 1000))
    let range = try #require(MediaTimeRange(from: starts.start(ofFrame: 4), to: end))
    #expect(try clip.plan(CutRequest(range: range), for: .matroska).frames == 5)
  }
}

@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given ticks of 90 kHz and frames that are not a whole number of ticks` {
  /// A frame may begin up to half a tick before its nominal time, and is not shown for just that long.
  @Test(arguments: [Rational(60_000, 1001), Rational(24_000, 1001)], ["ts", "mpg", "mp4"])
  func `when a range is computed from the frame rate then it has the frames that its ends name`(
    _ rate: Rational, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=64x48:rate=\(rate.numerator)/\(rate.denominator):duration=4",
        "-c:v", "mpeg2video", "-g", "1",
      ] + (ending == "mp4" ? ["-video_track_timescale", "90000"] : []) + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(clip.frameStarts)
    for frame in 1..<Int64(60) {
      let begin = MediaTime(frame * rate.denominator, rate.numerator)
      let end = MediaTime((frame + 5) * rate.denominator, rate.numerator)
      let request = CutRequest(range: try #require(MediaTimeRange(from: begin, to: end)))
      let plan = try clip.plan(request, for: .matroska)
      #expect(plan.frames == 5, "from frame \(frame)")
      #expect(plan.parts.first?.range.start == (try starts.start(ofFrame: frame)))
      #expect(try clip.plan(request, for: .mp4).frames == 5, "from frame \(frame)")
    }
  }
}
