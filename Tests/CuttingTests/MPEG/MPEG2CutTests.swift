import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
struct `Given MPEG-2 with reordered pictures in a transport stream` {
  @Test func `when one picture is cut then it is decoded a frame before it is shown`() async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-c:v",
      "mpeg2video", "-bf", "2", "-g", "12", path,
    ])
    let output = folder.path(of: "cut.ts")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try MediaTimeRange(from: MediaTime(1), length: MediaDuration(1, 25))
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .mpegts)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let packets = try #require(written.source.tracks.first).coded.packets
    #expect(packets.count == 1)
    #expect(packets.first.map { $0.pts - $0.dts } == 3600)
  }

  /// Such a sequence has an even number of macroblock rows (ISO 13818-2, 6.3.3); clips on DVD are
  /// coded this way.
  @Test(arguments: ["ts", "mkv", "mpg", "mp4"])
  func
    `when its sequence is interlaced but its pictures are not then its edges have an interlaced sequence, too`(
      _ ending: String
    ) async throws
  {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip." + ending), folder.path(of: "cut." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x80:rate=25:duration=3", "-c:v",
      "mpeg2video", "-bf", "2", "-g", "12", "-flags", "+ilme", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(13, 25), to: MediaTime(50, 25)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect((1..<report.plan.frames).contains(report.plan.encodedFrames))
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty && !pictures.isEmpty, "\(log)")
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let track = written.source.tracks[0]
    try written.source.prepare([0: [track.coded.packets.indices]])
    let sequences = try track.coded.packets.indices.compactMap {
      VideoHeader(mpeg2: try written.source.bytes(ofTrack: 0, $0)[...])?.isProgressive
    }
    #expect(sequences.count >= 3 && !sequences.contains(true))
  }

  /// FFmpeg's decoder delays a picture unless low_delay rules out reordering.
  @Test(arguments: [[(3, 62)], [(8, 20), (30, 62)]])
  func `when its header rules out reordering then no picture is lost where copied ones begin`(
    _ parts: [(from: Int64, to: Int64)]
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.ts"), folder.path(of: "cut.ts"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=3", "-c:v",
      "mpeg2video", "-bf", "0", "-g", "12", "-flags", "low_delay", path,
    ])
    let ranges = try parts.map {
      try #require(MediaTimeRange(from: MediaTime($0.from, 25), to: MediaTime($0.to, 25)))
    }
    var request = CutRequest(range: try #require(ranges.first))
    for range in ranges.dropFirst() { request.join(range) }
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(request, to: Array(output.utf8)))
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-vf", "scale=8:8,format=gray", "-f", "rawvideo", "-",
    ]).out
    #expect(shown.count == Int(parts.reduce(0) { $0 + $1.to - $1.from }) * 64)
  }
}
