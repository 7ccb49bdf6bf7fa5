import Support
import Testing

@testable import Rendering

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given pictures much smaller than the video` {
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var size = "640x360"
    var words = ["-pix_fmt", "yuv420p"]

    static let all = [
      Kind(testDescription: "H.264"),
      Kind(testDescription: "of odd sizes", size: "646x362"),
      Kind(testDescription: "full chroma", words: ["-pix_fmt", "yuv444p"]),
      Kind(testDescription: "half chroma", words: ["-pix_fmt", "yuv422p"]),
      Kind(testDescription: "full range", words: ["-pix_fmt", "yuvj420p", "-color_range", "pc"]),
      Kind(testDescription: "interlaced", words: ["-pix_fmt", "yuv420p", "-flags", "+ilme+ildct"]),
      Kind(testDescription: "720p", size: "1280x720"),
      Kind(testDescription: "ten bits", words: ["-pix_fmt", "yuv420p10le"]),
    ]
  }

  private static let frameCount = 12

  /// Twelve pictures with B-pictures, fine detail, noise and the colors of a television.
  private static func track(_ kind: Kind, in folder: ScratchFolder) async throws -> PictureTrack {
    let path = folder.path(of: "clip.mp4")
    let words = [
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=s=\(kind.size):r=25,noise=alls=12:allf=t", "-frames:v", "\(frameCount)",
      "-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-crf", "30", "-colorspace", "bt709",
    ]
    let made = try await ProgramRun((words + kind.words + [path]).map { Array($0.utf8) })
    try #require(made.status == 0)
    return try PictureTrack(Array(path.utf8))
  }

  private static func meanSquare(_ a: Picture, _ b: Picture) -> Double {
    let sum = zip(a.pixels, b.pixels).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return Double(sum) / Double(a.pixels.count)
  }

  @Test(arguments: Kind.all)
  func `when they are made the fast way then they look the same`(
    _ kind: Kind
  ) async throws {
    let track = try await Self.track(kind, in: ScratchFolder())
    let exact = try FrameGrabber(track)
    let sketch = try FrameGrabber(track, isSketch: true)
    var isAnyOther = false
    for number in 0..<Self.frameCount {
      let truth = try exact.picture(ofFrame: number, size: .width(43))
      let quick = try sketch.picture(ofFrame: number, size: .width(43))
      #expect(quick.frame == truth.frame)
      // A PSNR of 38 dB, for pictures with hard edges and noise.
      #expect(Self.meanSquare(quick.picture, truth.picture) < 10.3, "frame \(number)")
      isAnyOther = isAnyOther || quick != truth
    }
    // Otherwise nothing was saved.
    #expect(isAnyOther)
  }

  @Test func `when one is requested larger then it is exact, whatever was made before`()
    async throws
  {
    let track = try await Self.track(Kind(testDescription: "H.264"), in: ScratchFolder())
    let exact = try FrameGrabber(track)
    let sketch = try FrameGrabber(track, isSketch: true)
    for number in 0..<Self.frameCount {
      _ = try sketch.picture(ofFrame: number, size: .width(40))
      let large = try sketch.picture(ofFrame: number, size: .full)
      #expect(large == (try exact.picture(ofFrame: number, size: .full)), "frame \(number)")
    }
  }

  @Test(arguments: [40, 41], [false, true])
  func `when several are made in a row then each is the same as one made alone`(
    _ width: Int, isSketch: Bool
  ) async throws {
    let track = try await Self.track(Kind(testDescription: "H.264"), in: ScratchFolder())
    let grabber = try FrameGrabber(track, isSketch: isSketch)
    for number in 0..<3 {
      let alone = try FrameGrabber(track, isSketch: isSketch)
      #expect(
        try grabber.picture(ofFrame: number, size: .width(width))
          == alone.picture(ofFrame: number, size: .width(width)), "frame \(number)")
    }
  }
}
