import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Taggers put the cover before the tracks of files without tags; FFmpeg counts it as the first stream.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an MP4 whose cover comes before its tracks` {
  private func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "plain.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-f", "lavfi", "-i",
      "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libx264", "-g", "25", "-c:a", "aac", path,
    ])
    let picture = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "color=red:s=8x8", "-frames:v", "1", "-f", "image2pipe",
      "-c:v", "png", "-",
    ]).out
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8)
      return (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        + Array(type.utf8) + content
    }
    let handler = box(
      "hdlr",
      [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
    let cover = box("covr", box("data", [0, 0, 0, 14, 0, 0, 0, 0] + picture))
    let tags = box("udta", box("meta", [0, 0, 0, 0] + handler + box("ilst", cover)))
    var bytes = try fileBytes(path)
    // The movie box is the last one, and the media that it refers to come before it.
    let movie = try #require(bytes.ranges(of: Array("moov".utf8)).last).lowerBound - 4
    let header = movie + 8
    let size = bytes[header..<header + 4].reduce(0) { $0 << 8 | Int($1) }
    let content = Array(bytes[header..<header + size]) + tags + Array(bytes[(header + size)...])
    bytes.replaceSubrange(movie..., with: box("moov", content))
    return try folder.write(bytes, to: "clip.mp4")
  }

  @Test(arguments: ["mkv", "mp4", "ts", "wav", "m4a"])
  func `then each of its tracks is cut`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks.map(\.kind) == [.video, .audio, .video])
    let range = try #require(MediaTimeRange(from: MediaTime(13, 10), to: MediaTime(31, 10)))
    let output = folder.path(of: "cut." + ending)
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.examination?.damage.isEmpty == true)
    if ["mkv", "mp4", "ts"].contains(ending) { #expect(report.plan.frames == 46) }
  }
}
