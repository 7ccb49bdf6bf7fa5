import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// Muxers may put the end-of-stream unit into a separate sample.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose last sample holds only the end-of-stream unit` {
  private func clip(
    _ codec: String, _ unit: [UInt8], in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "whole.mp4")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=1", "-g", "10", "-bf", "0",
        "-c:v", codec,
      ] + (codec == "libx265" ? ["-x265-params", "bframes=0:log-level=error"] : []) + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let table = try #require(clip.source.native).table(ofTrack: 0)
    let last = table.count - 1
    var bytes = try fileBytes(path)
    let place = Int(try #require(table.offset(last)))
    let sample = [0, 0, 0, UInt8(unit.count)] + unit
    bytes.replaceSubrange(place..<place + sample.count, with: sample)
    // stsz (ISO 14496-12, 8.7.3): the last of its sizes.
    let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 12
    bytes.replaceSubrange(
      sizes + 4 * last..<sizes + 4 * last + 4, with: [0, 0, 0, UInt8(sample.count)])
    return try folder.write(bytes, to: "ended.mp4")
  }

  @Test(arguments: [("libx264", [0x0A]), ("libx265", [0x4A, 0x01])] as [(String, [UInt8])])
  func `then the picture before it stays on screen, and a cut up to there is right`(
    _ codec: String, _ unit: [UInt8]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(codec, unit, in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.tracks[0].frameCount == 24)
    #expect(facts.durations.presented?.length == MediaDuration(1))
    for (start, ending) in [(MediaTime(2, 5), "mp4"), (MediaTime(9, 10), "ts")] {
      let output = folder.path(of: "cut." + ending)
      let range = try #require(MediaTimeRange(from: start, to: MediaTime(1)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
      let decoded = try await ProgramRun(
        [
          "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
          "-of",
          "default=nw=1:nk=1", output,
        ].map { Array($0.utf8) }, limit: .seconds(60))
      #expect(decoded.errText.isEmpty, "\(ending): \(decoded.errText)")
      let count = decoded.outText.split(separator: "\n").first.flatMap { Int($0) }
      #expect(count == Int(report.plan.frames), "\(ending)")
    }
  }
}
