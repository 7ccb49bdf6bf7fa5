import ExactTime
import Foundation
import MediaFiles
import Probing
import Rendering
import Support
import Testing

/// A screen steps through the frames that `trim probe --frames` lists.
@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a recording that begins in the middle of a GOP` {
  /// Like a recording of a broadcast that was joined late.
  private func clip(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let whole = folder.path(of: "whole.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25,trim=end_frame=60", "-c:v",
      "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", whole,
    ])
    let bytes = try fileBytes(whole)
    let late = folder.path(of: "late.ts")
    // Packets of transport streams are 188 bytes long (ISO 13818-1, 2.4.3.2).
    try Data(bytes.dropFirst(bytes.count / 188 / 5 * 188)).write(to: URL(fileURLWithPath: late))
    guard ending != "ts" else { return late }
    let path = folder.path(of: "late." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", late, "-c", "copy", "-copyinkf", path,
    ])
    return path
  }

  @Test(arguments: ["ts", "mkv", "mp4"])
  func `when its frames are counted then those before the first keyframe are not`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = Array(try await clip(ending, in: folder).utf8)
    let facts = try Prober(isCancelled: { false }).probe(
      .file(path: path), options: ProbeOptions(wantsFrames: true))
    let listed = try #require(facts.tracks.first { $0.kind == .video }).shownFrames
    let zero = facts.durations.presented?.start ?? .zero
    let track = try PictureTrack(path, origin: zero)
    #expect(!listed.isEmpty)
    #expect(facts.notes.contains { $0.id == .beforeKeyframe })
    #expect(track.frameCount == listed.count)
    for (number, frame) in listed.enumerated() {
      let start = MediaTime(seconds: try frame.time.distance(from: zero).seconds)
      #expect(track.frame(number: number).start == start, "frame \(number)")
      #expect(track.frame(at: start).number == number)
    }
  }
}
