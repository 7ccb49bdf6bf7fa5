import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Lossless codecs whose pictures refer to others: their edges are encoded losslessly too.
@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(Sample.limit))
struct `Given a file of a lossless codec whose pictures refer to others` {
  private typealias Cuts = `Given a file made by an encoder`

  static let clips = [
    clip("FFV1, headers in its keyframes", "mkv", ["-c:v", "ffv1", "-level", "1", "-g", "12"]),
    clip("FFV1, four slices", "mkv", ["-c:v", "ffv1", "-level", "3", "-g", "12", "-slices", "4"]),
    clip(
      "FFV1, nine slices without CRC, range coded", "avi",
      [
        "-c:v", "ffv1", "-level", "3", "-g", "12", "-slices", "9", "-slicecrc", "0", "-coder",
        "range_tab", "-context", "1",
      ]),
    // Its header has an odd number of bytes, and is padded.
    clip("FFV1, 24 slices", "mkv", ["-c:v", "ffv1", "-level", "3", "-g", "12", "-slices", "24"]),
    clip(
      "FFV1 of 10 bits", "mkv",
      ["-c:v", "ffv1", "-level", "3", "-g", "12", "-slices", "4", "-pix_fmt", "yuv422p10le"]),
    // The sample entry has the header in a separate box (RFC 9043, 4.3.3.2).
    clip(
      "FFV1 in QuickTime", "mov", ["-c:v", "ffv1", "-level", "3", "-g", "12", "-slices", "4"]),
    clip(
      "H.264 without loss", "mp4",
      ["-c:v", "libx264", "-qp", "0", "-g", "12", "-pix_fmt", "yuv420p"]),
    clip(
      "H.264 without loss, of 10 bits", "mkv",
      [
        "-c:v", "libx264", "-qp", "0", "-g", "12", "-pix_fmt", "yuv444p10le",
      ]),
    clip(
      "H.264 without loss, red, green and blue", "mkv",
      [
        "-c:v", "libx264rgb", "-qp", "0", "-g", "12", "-pix_fmt", "rgb24",
      ]),
    clip("QuickTime RLE", "mov", ["-c:v", "qtrle", "-g", "12", "-pix_fmt", "rgb24"]),
    clip("ZMBV", "avi", ["-c:v", "zmbv", "-g", "12", "-pix_fmt", "bgr0"]),
    clip("Flash Screen Video", "flv", ["-c:v", "flashsv", "-g", "12", "-pix_fmt", "bgr24"]),
  ]

  private static func clip(_ name: String, _ ending: String, _ words: [String]) -> EncodedClip {
    EncodedClip(testDescription: name, ending: ending, words: words)
  }

  // An FFV1 encoder allocates 307 MB for it, more than a file may request.
  @Test func `when it is 1080p then its edges are encoded, too`() async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mkv"), folder.path(of: "cut.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "color=gray:s=1920x1080:r=25,trim=end_frame=20", "-c:v",
      "ffv1", "-level", "3", "-g", "12", path,
    ])
    let report = try Cuts.cut(path, 5..<15, to: output, as: "mkv")
    #expect(report.plan.frames == 10 && report.plan.encodedFrames > 0)
  }

  @Test(arguments: Sample.of(clips, 4))
  func `when a part is cut then all of its pictures are the source's, bit for bit`(
    _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    // FLV is read, never written.
    let ending = encoded.ending == "flv" ? "mkv" : encoded.ending
    for frames in [17..<50, 30..<33, 24..<60] {
      let output = folder.path(of: "cut." + ending)
      let report = try Cuts.cut(path, frames, to: output, as: ending)
      #expect(report.plan.frames == frames.count, "\(frames)")
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(log.isEmpty, "\(frames): \(log)")
      #expect(pictures.count == frames.count, "\(frames)")
      for (picture, place) in zip(pictures, frames) {
        #expect(Cuts.error(picture, source[place]) == 0, "frame \(place) of \(frames)")
      }
    }
  }
}
