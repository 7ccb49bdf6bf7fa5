import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// MP4 has the headers of MPEG-4 part 2 once; a transport stream repeats them with the pictures
/// (ISO/IEC 14496-2, 6.2.1).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MPEG-4 part 2 that is cut into a transport stream` {
  private static func clip(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let (plain, path) = (folder.path(of: "clip.mp4"), folder.path(of: "clip." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "mpeg4", "-bf", "2",
      "-g", "25", "-sc_threshold", "1000000000", plain,
    ])
    guard ending != "mp4" else { return plain }
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-i", plain, "-c", "copy"]
        + (ending == "ts" ? ["-bsf:v", "dump_extra"] : []) + [path])
    return path
  }

  private static func cut(
    _ path: String, _ from: MediaTime, _ to: MediaTime, in folder: ScratchFolder
  ) throws -> (report: CutReport, output: String) {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: from, to: to))
    let output = folder.path(of: "cut.ts")
    return (
      try clip.cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8))), output
    )
  }

  @Test(arguments: ["mp4", "mkv", "avi", "ts"])
  func `then a decoder can start at every keyframe`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(ending, in: folder)
    let cut = try Self.cut(path, MediaTime(13, 25), MediaTime(88, 25), in: folder)
    #expect(cut.report.plan.tracks[0].packets == 75)
    #expect(cut.report.plan.tracks[0].encoded < 30)
    let written = try `Given a file made by an encoder`.open(cut.output)
    let packets = written.tracks[0].coded.packets
    try written.prepare([0: [packets.indices]])
    let keys = packets.indices.filter { packets[$0].isKey }
    #expect(keys.count >= 3)
    for key in keys {
      let rest = try packets.indices[key...].flatMap { try written.bytes(ofTrack: 0, $0) }
      try folder.write(rest, to: "rest.m4v")
      let run = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", folder.path(of: "rest.m4v"), "-f", "null", "-",
      ])
      #expect(run.errText.isEmpty, "\(key): \(run.errText)")
    }
  }

  /// A decoder outputs a picture when the next one arrives: even a single one is decoded before it
  /// is shown.
  @Test func `when it is a single frame then readers know when it begins`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip("mp4", in: folder)
    let cut = try Self.cut(path, MediaTime(1), MediaTime(26, 25), in: folder)
    let run = try await EncodedClip.ffmpeg(["-v", "warning", "-i", cut.output, "-f", "null", "-"])
    #expect(run.errText.isEmpty, "\(run.errText)")
  }
}
