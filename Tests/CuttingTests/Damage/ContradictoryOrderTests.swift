import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// The container places one picture after the one that follows it, or before the one that it
/// follows, and the bitstream contradicts that.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures whose PTS contradict their display order` {
  /// Five seconds, with one picture moved by the milliseconds that an expression gives.
  private static func make(
    _ codec: [String], _ late: String, size: String = "160x96", in folder: ScratchFolder
  ) async throws -> String {
    let (plain, path) = (folder.path(of: "plain.mkv"), folder.path(of: "clip.mkv"))
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=5", "-c:v"] + codec
        + ["-g", "50", plain])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:v", "setts=pts='TS+\(late)':dts=DTS", path,
    ])
    return path
  }

  /// The range begins within a GOP.
  private static func cut(
    _ path: String, into ending: String, in folder: ScratchFolder
  ) throws -> (report: CutReport, output: String) {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(13, 10), to: MediaTime(3)))
    let output = folder.path(of: "cut." + ending)
    return (
      try clip.cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8))), output
    )
  }

  @Test(
    arguments: [
      (["libx264", "-bf", "2"], "eq(N,52)*-50", "mp4"),
      (["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "eq(N,50)*50", "mkv"),
      (["mpeg2video", "-bf", "0"], "eq(N,52)*90", "ts"),
    ])
  func `when a part that begins within a GOP is cut then the source is reported as damaged there`(
    _ codec: [String], _ late: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, late, size: "320x240", in: folder)
    let error = try #require(throws: MediaError.self) {
      try Self.cut(path, into: ending, in: folder)
    }
    #expect(error.code == .damaged && error.message.contains("order"), "\(error.message)")
    let times = try #require(error.times)
    #expect(times.start > MediaTime(19, 10) && times.end < MediaTime(23, 10))
  }

  /// A decoder goes on after the part, which ends with its GOP; what it finds there is not in the cut.
  @Test(arguments: [(52, true), (105, false)])
  func `when a proof fails then they explain it only within the part`(
    _ picture: Int, _ isCause: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(["libx264", "-bf", "2"], "eq(N,\(picture))*-90", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3)))
    let proof = try clip.copyProof(of: range, in: .mp4)
    let error = proof.blamed(proof.failure("it differs", 0))
    #expect(error.code == (isCause ? .damaged : .verificationFailed), "\(error.message)")
  }

  /// After a part, where it matters to a decoder whose delay follows only from timestamps.
  @Test(
    arguments: [
      ["libx264", "-bf", "2"], ["mpeg2video", "-bf", "0"], ["mpeg4", "-bf", "0"],
      ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
    ])
  func `when such a picture is after the part then the part is cut`(_ codec: [String]) async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, "eq(N,103)*50", in: folder)
    let cut = try Self.cut(path, into: "mkv", in: folder)
    #expect(cut.report.plan.tracks[0].packets == 43)
    #expect(try await EncodedClip.pictures(cut.output).pictures.count == 43)
  }

  /// MPEG-4 without B pictures signals that its decoder has no delay (ISO 14496-2, 6.3.3: low_delay).
  @Test(arguments: zip(["eq(N,51)*50", "eq(N,52)*90", "eq(N,51)*50"], ["mkv", "avi", "mp4"]))
  func `when a decoder ignores them then pictures come in its output order`(
    _ late: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(["mpeg4", "-bf", "0"], late, in: folder)
    let cut = try Self.cut(path, into: ending, in: folder)
    #expect(cut.report.plan.tracks[0].encodedHead == 18)
    let (all, written) = (
      try await EncodedClip.pictures(path).pictures,
      try await EncodedClip.pictures(cut.output).pictures
    )
    #expect(written.count == 43)
    #expect(Array(written.suffix(25)) == Array(all[50..<75]))
  }
}
