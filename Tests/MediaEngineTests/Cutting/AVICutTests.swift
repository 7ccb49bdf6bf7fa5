import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"))
struct `Given an AVI with reordered pictures and sound in packets` {
  private static func film(in folder: ScratchFolder) async throws -> CutFilm {
    let path = folder.path(of: "film.avi")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=4", "-f", "lavfi",
      "-i", "sine=r=48000:d=4", "-c:v", "mpeg4", "-bf", "2", "-g", "12", "-c:a", "libmp3lame", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  @Test func `when IN lies between frames then the one on screen begins the MP4`() async throws {
    let film = try await Self.film(in: ScratchFolder())
    // The ticks are whole frames: nothing is rounded that an end could have been typed from.
    let range = try #require(
      MediaTimeRange(from: MediaTime(1_113_333, 1_000_000), to: MediaTime(21, 10)))
    #expect(try film.plan(CutRequest(range: range), for: .mp4).frames == 30)
  }

  @Test func `when a part is cut then its header counts every packet of the sound`() async throws {
    let folder = try ScratchFolder()
    let film = try await Self.film(in: folder)
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try film.cut(CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let durations = try #require(written.facts.tracks.first { $0.kind == .audio }?.durations)
    #expect(durations.track != nil)
    #expect(durations.track?.length == durations.presented?.length)
  }
}
