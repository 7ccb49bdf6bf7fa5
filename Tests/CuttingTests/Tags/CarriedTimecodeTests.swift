import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

private func written(
  _ path: String, _ from: MediaTime, _ to: MediaTime, into output: String
) throws -> CutReport {
  let range = try #require(MediaTimeRange(from: from, to: to))
  return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
    CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a timecode among the tags of a file` {
  /// - Parameter sound: options for sound that begins before the pictures.
  private func cut(
    into name: String, from start: MediaTime = MediaTime(1), sound: [String] = [],
    in folder: ScratchFolder
  ) async throws -> CutReport {
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2"] + sound + [
        "-c:v", "libx264", "-metadata", "timecode=01:00:00:00", path,
      ])
    let output = folder.path(of: name)
    return try written(path, start, MediaTime(2), into: output)
  }

  @Test func `when the output cannot hold it then that is reported`() async throws {
    let report = try await cut(into: "cut.ts", in: ScratchFolder())
    #expect(report.plan.tracks[0].reasons.contains(.timecodeNotWritten))
  }

  @Test(
    arguments: ["cut.mkv", "cut.mp4", "cut.mov"],
    [[], ["-f", "lavfi", "-i", "sine=d=2:r=44100", "-c:a", "aac"]])
  func `when the output can hold it then the first frame of the cut has its own label`(
    _ name: String, _ sound: [String]
  ) async throws {
    let folder = try ScratchFolder()
    // Within the first picture after 1 s.
    let report = try await cut(
      into: name, from: MediaTime(103, 100), sound: sound, in: folder)
    #expect(!report.plan.tracks[0].reasons.contains(.timecodeNotWritten))
    let facts = try Prober().probe(.file(path: Array(folder.path(of: name).utf8)))
    #expect(SourceTimecode.start(of: facts)?.description == "01:00:01:00")
    // ffprobe finds it too.
    let reported = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-show_entries", "stream_tags=timecode:format_tags=timecode",
        "-of",
        "default=nw=1:nk=1", folder.path(of: name),
      ].map { Array($0.utf8) }, limit: .seconds(60))
    #expect(
      reported.outText.split(separator: "\n").allSatisfy { $0 == "01:00:01:00" }
        && reported.outText != "")
  }

  /// Sound begins 0.4 s before the pictures.
  @Test func `when IN is before the video then its first frame has the file's label`() async throws
  {
    let folder = try ScratchFolder()
    _ = try await cut(
      into: "cut.mkv", from: .zero,
      sound: ["-itsoffset", "-0.4", "-f", "lavfi", "-i", "sine=d=2:r=44100", "-c:a", "aac"],
      in: folder)
    let facts = try Prober().probe(.file(path: Array(folder.path(of: "cut.mkv").utf8)))
    #expect(SourceTimecode.start(of: facts)?.description == "01:00:00:00")
  }

  @Test func `when the cut is fragmented then it has the label too`() async throws {
    let folder = try ScratchFolder()
    _ = try await cut(into: "cut.mkv", in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    var request = CutRequest(range: range, verification: .full)
    request.isFragmented = true
    _ = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: "cut.mkv").utf8))
    ).cut(CutOrder(request, to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(SourceTimecode.start(of: facts)?.description == "01:00:01:00")
  }
}
