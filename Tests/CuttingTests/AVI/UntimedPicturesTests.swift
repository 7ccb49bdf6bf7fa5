import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// AVI and raw streams state no presentation times: the order of reordered pictures follows only
/// from the bitstream.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given reordered pictures whose container does not state when they are shown` {
  private typealias Cuts = `Given a file made by an encoder`

  static let clips = [
    clip("MPEG-4 in AVI", "avi", ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3"]),
    clip(
      "MPEG-4 in AVI, two in a packet", "avi",
      ["-c:v", "libxvid", "-g", "12", "-bf", "2", "-q:v", "3"]),
    clip("MPEG-4 in ASF", "asf", ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3"]),
    clip(
      "MPEG-4, raw", "m4v",
      ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3", "-f", "m4v"]),
    clip("MPEG-2 in AVI", "avi", ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "3"]),
    clip("H.264 in AVI", "avi", h264("bframes=3:b-pyramid=normal:open-gop=0")),
    clip("H.264 in AVI, open groups", "avi", h264("bframes=2:b-pyramid=none:open-gop=1")),
    clip("H.264 in MXF", "mxf", h264("bframes=3:b-pyramid=normal:open-gop=0")),
    clip("H.264, raw", "h264", h264("bframes=3:b-pyramid=normal:open-gop=0")),
    clip(
      "HEVC, raw", "hevc",
      [
        "-c:v", "libx265", "-preset", "veryfast", "-g", "12", "-x265-params",
        "log-level=none:bframes=3:open-gop=1:min-keyint=12:scenecut=0",
      ]),
  ]

  private static func clip(_ name: String, _ ending: String, _ words: [String]) -> EncodedClip {
    EncodedClip(testDescription: name, ending: ending, words: words)
  }

  private static func h264(_ parameters: String) -> [String] {
    [
      "-c:v", "libx264", "-preset", "fast", "-g", "12", "-x264-params",
      "min-keyint=12:scenecut=0:threads=1:" + parameters,
    ]
  }

  private static func cut(
    _ clip: OpenedFile, _ frames: Range<Int>, to output: String, as ending: String
  ) throws -> CutReport {
    let container = try #require(OutputContainer(nameEnding: ending))
    return try clip.cut(
      CutRequest(range: Cuts.range(frames)), to: Array(output.utf8), as: container, replaces: true)
  }

  @Test(arguments: Sample.of(clips, 4))
  func `when a part is cut into Matroska then it has the frames that a decoder outputs there`(
    _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    // Some encoders lose the last frames.
    let all = 0..<source.count
    try #require(source.count > 90)
    for frames in [all, 0..<60, 38..<71, 24..<36] {
      let output = folder.path(of: "cut.mkv")
      let report = try Self.cut(clip, frames, to: output, as: "mkv")
      #expect(report.plan.frames == frames.count, "\(frames)")
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(log.isEmpty, "\(frames): \(log)")
      #expect(pictures.count == frames.count, "\(frames)")
      for (picture, place) in zip(pictures, frames) {
        #expect(Cuts.error(picture, source[place]) < Cuts.tolerated, "frame \(place) of \(frames)")
      }
    }
  }

  @Test(arguments: clips.filter { $0.ending == "avi" && $0.testDescription.hasPrefix("MPEG") })
  func `when a part is cut into AVI again then it has the same frames`(
    _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for frames in [0..<source.count, 38..<71] {
      try await expect(clip, frames, into: folder.path(of: "cut.avi"), toShow: source)
    }
  }

  // Empty chunks follow the first picture, one for each frame of encoder delay.
  @Test func `when its audio begins before its video then a part of both can go into AVI again`()
    async throws
  {
    let encoded = EncodedClip(
      testDescription: "MPEG-4 in AVI, two in a packet, with sound", ending: "avi",
      words: ["-c:v", "libxvid", "-g", "12", "-bf", "2", "-q:v", "3", "-c:a", "libmp3lame"],
      inputs: ["-f", "lavfi", "-i", "sine=duration=4"])
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let video = try #require(clip.facts.tracks.first { $0.kind == .video })
    let start = try #require(video.durations.presented?.start)
    #expect(start > .zero)
    let late = try Int(start.seconds.multiplied(by: Rational(25)).rounded(.nearest))
    for frames in [38..<71, 47..<51] {
      try await expect(
        clip, frames, into: folder.path(of: "cut.avi"), toShow: source, from: late)
    }
  }

  /// Cuts frames into AVI; the source's first frame is shown `late` frames after zero.
  private func expect(
    _ clip: OpenedFile, _ frames: Range<Int>, into output: String,
    toShow source: [ArraySlice<UInt8>], from late: Int = 0
  ) async throws {
    let report = try Self.cut(clip, frames, to: output, as: "avi")
    #expect(report.plan.frames == frames.count, "\(frames)")
    let (pictures, _) = try await EncodedClip.pictures(output)
    #expect(pictures.count == frames.count, "\(frames)")
    for (picture, place) in zip(pictures, frames) {
      #expect(
        Cuts.error(picture, source[place - late]) < Cuts.tolerated, "frame \(place) of \(frames)")
    }
  }
}
