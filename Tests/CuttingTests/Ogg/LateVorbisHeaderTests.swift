import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The headers of an Ogg stream may come after the first data of another (RFC 3533, 6).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in Ogg whose headers come after the first video packets` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "first.ogv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libtheora", "-g", "30", "-c:a",
      "libvorbis", "-ac", "1", "-page_duration", "200000", path,
    ])
    var clip = OggPages(try fileBytes(path))
    let sound = clip.pages[1].serial
    let headers = try #require(
      clip.pages.indices.dropFirst(2).first { clip.pages[$0].serial == sound })
    let pictures = try #require(
      clip.pages.indices.first { $0 > headers && clip.pages[$0].serial != sound })
    clip.pages.insert(clip.pages.remove(at: headers), at: pictures)
    return try folder.write(clip.file, to: "late.ogv")
  }

  @Test(arguments: ["mkv", "ogg"])
  func `when it is cut then they are not taken for audio`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let sound = try #require(facts.tracks.first { $0.kind == .audio }?.durations.presented)
    #expect(try sound.length.subtracting(MediaDuration(2)).magnitude < MediaDuration(1, 20))
  }
}
