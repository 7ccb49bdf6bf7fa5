import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

/// ASF rounds frame durations to milliseconds, and MPEG-4 part 2 cannot state their mean rate.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MPEG-4 whose mean frame rate is a ratio of large numbers` {
  private typealias Cuts = `Given a file made by an encoder`

  @Test(arguments: [
    (Rational(25), Rational(25)), (Rational(30_000, 1001), Rational(30_000, 1001)),
    (Rational(180_000, 5941), Rational(30_298, 1000)), (Rational(1, 70_000), Rational(30)),
    (Rational(7_000_000, 69_999), Rational(10_000, 100)),
  ])
  func `then edges are encoded at the nearest rate that the codec can state`(
    _ mean: Rational, _ coded: Rational
  ) throws {
    var video = VideoFacts(width: 192, height: 128)
    video.averageFrameRate = mean
    let choice = try #require(EncoderChoice(codec: "mpeg4", video: video, configuration: []))
    #expect(choice.settings(video).frameRate == coded)
  }

  @Test func `when a part between keyframes is cut then its edges are encoded`() async throws {
    let folder = try ScratchFolder()
    let clip = EncodedClip(
      testDescription: "29.97 in ASF", ending: "asf",
      words: ["-r", "30000/1001", "-c:v", "mpeg4", "-g", "30", "-bf", "2", "-q:v", "3"])
    let path = try await clip.make(in: folder)
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(5, 4), to: MediaTime(11, 4)))
    let output = folder.path(of: "cut.mp4")
    let report = try cutter.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let video = try #require(report.plan.tracks.first)
    // From the frame that is on screen at IN to the keyframe after it, and a B picture at the end.
    #expect([video.encoded, video.encodedHead, video.packets] == [24, 23, 46])
    let (source, cut) = (
      try await EncodedClip.pictures(path).pictures, try await EncodedClip.pictures(output).pictures
    )
    try #require(cut.count == 46)
    for (picture, frame) in zip(cut, 37..<83) {
      #expect(Cuts.error(picture, source[frame]) < Cuts.tolerated, "frame \(frame)")
    }
  }
}
