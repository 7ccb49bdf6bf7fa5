import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Attachments have a name and a media type in Matroska (RFC 9559, 5.1.6.1); elsewhere they may
/// have neither.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an attachment without a name` {
  /// An item of an APE tag that claims to be a cover but is not a picture.
  private static var tag: [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let value = Array("a description".utf8) + [0, 1, 2, 3]
    let item =
      number(value.count) + number(2) + Array("Cover Art (Front)".utf8) + [0] + value
    return item + Array("APETAGEX".utf8) + number(2000) + number(item.count + 32) + number(1)
      + number(0) + number(0) + number(0)
  }

  @Test func `then it is left out, and the audio is cut`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=3:seed=3:a=0.4", "-c:a", "wavpack",
      path,
    ])
    try folder.write(try fileBytes(path) + Self.tag, to: "sound.wv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks.map(\.kind) == [.audio, .attachment])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.mkv").utf8)))
    #expect(report.plan.tracks.map(\.dropped) == [nil, "it has no file name or MIME type"])
  }
}
