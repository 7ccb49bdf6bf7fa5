import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given H.263 or a codec derived from it` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var name: String
    var size = "176x144"
    var words: [String]
    var output: String
  }

  static let clips = [
    Clip(
      testDescription: "H.263 in 3GP", name: "clip.3gp", words: ["-c:v", "h263"],
      output: "cut.mp4"),
    Clip(
      testDescription: "H.263 of a size of its own", name: "clip.mov", size: "160x128",
      words: ["-c:v", "h263p"], output: "cut.mov"),
    Clip(
      testDescription: "Sorenson's in FLV", name: "clip.flv", words: ["-c:v", "flv1"],
      output: "cut.mkv"),
    Clip(
      testDescription: "Windows Media Video 7", name: "clip.wmv", words: ["-c:v", "wmv1"],
      output: "cut.mkv"),
    Clip(
      testDescription: "Windows Media Video 8", name: "clip.wmv", words: ["-c:v", "wmv2"],
      output: "cut.mkv"),
    Clip(
      testDescription: "Windows Media Video 8 with a loop filter", name: "clip.avi",
      words: ["-c:v", "wmv2", "-flags", "+loop"], output: "cut.avi"),
    Clip(
      testDescription: "MPEG-4 as Microsoft had it", name: "clip.avi",
      words: ["-c:v", "msmpeg4"], output: "cut.avi"),
  ]

  /// 20 pictures from the middle; neither end is a keyframe.
  @Test(arguments: Sample.of(clips, 4))
  func `then its edges are re-encoded, and every picture is where it was`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: clip.name)
    let source = "testsrc2=size=\(clip.size):rate=25:duration=2"
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", source, "-g", "12", "-q:v", "3"] + clip.words + [path])
    let output = folder.path(of: clip.output)
    let ending = try #require(clip.output.split(separator: ".").last)
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(cutter.frameStarts)
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 16), to: starts.start(ofFrame: 36)))
    let report = try cutter.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: String(ending))))
    #expect(report.plan.tracks[0].encodedHead == 8)
    #expect(report.plan.tracks[0].packets == 20)
    let (all, cut) = (try await pictures(path, clip.size), try await pictures(output, clip.size))
    try #require(cut.count == 20)
    for (place, picture) in cut.enumerated() {
      #expect(difference(picture, all[16 + place]) < 3, "picture \(place)")
    }
  }

  /// Black turns white: coefficients larger than most codecs of this family can code with a fine
  /// quantizer.
  @Test(
    arguments: Sample.of(
      clips + [
        Clip(
          testDescription: "MPEG-1", name: "clip.mkv", words: ["-c:v", "mpeg1video"],
          output: "cut.mkv")
      ], 4))
  func `when sharp contours move abruptly then what is re-encoded still looks like the source`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: clip.name), folder.path(of: clip.output))
    let source =
      "color=black:size=\(clip.size):rate=25:duration=2,"
      + "geq=lum='235*mod(floor(X/22)*7+floor(Y/22)*13+floor(N*1.7)*5\\,2)':cb=128:cr=128"
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", source, "-g", "12", "-q:v", "6"] + clip.words + [path])
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(cutter.frameStarts)
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 16), to: starts.start(ofFrame: 36)))
    _ = try cutter.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let (all, cut) = (try await pictures(path, clip.size), try await pictures(output, clip.size))
    try #require(cut.count == 20)
    for (place, picture) in cut.enumerated() {
      let error = zip(picture, all[16 + place]).reduce(0) {
        $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
      }
      // 30 dB
      #expect(error < 65 * picture.count, "picture \(place)")
    }
  }

  /// Only luma, from an independent decoder.
  private func pictures(_ path: String, _ size: String) async throws -> [ArraySlice<UInt8>] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "gray",
      "-f", "rawvideo", "-",
    ])
    #expect(run.errText.isEmpty, "\(run.errText)")
    let count = size.split(separator: "x").compactMap { Int($0) }.reduce(1, *)
    return stride(from: 0, to: run.out.count, by: count).map {
      run.out[$0..<min($0 + count, run.out.count)]
    }
  }

  /// The mean absolute difference of a pixel.
  private func difference(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
    zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / max(1, one.count)
  }
}
