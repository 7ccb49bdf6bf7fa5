import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// A pack holds several frames of AC-3 and one timestamp; readers derive the others in ticks.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AC-3 in a program stream, whose packs hold several frames` {
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func `when it is cut then it is heard without a gap`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.vob"), folder.path(of: "cut." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=24000/1001:duration=8", "-f",
      "lavfi", "-i", "anoisesrc=r=44100:d=8:seed=3:a=0.4", "-c:v", "mpeg2video", "-g", "12",
      "-bf", "2", "-q:v", "3", "-c:a", "ac3", "-ac", "1", "-b:a", "96k", "-f", "vob", path,
    ])
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(seconds: Rational(5, 4)), to: MediaTime(seconds: Rational(15, 2))))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let sound = try #require(clip.source.tracks.first { $0.facts.kind == .audio }).coded
    #expect(sound.packets.count > 170)
    let exact = MediaDuration(1536, 44_100)
    for (one, next) in zip(sound.packets, sound.packets.dropFirst()) {
      let length = try sound.grid.duration(ofTicks: next.pts - one.pts)
      let most = ending == "mkv" ? MediaDuration(2, 1000) : MediaDuration(1, 10_000)
      #expect((length - exact).magnitude < most)
    }
  }
}
