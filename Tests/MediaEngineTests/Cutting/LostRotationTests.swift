import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a video whose container turns its pictures` {
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func `when it is cut then its rotation is kept, or said to be lost`(_ ending: String) throws {
    let folder = try ScratchFolder()
    let film = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleFilms.path("rotated.mp4").utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(1)))
    let output = folder.path(of: "cut." + ending)
    let report = try film.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let rotation = try Prober().probe(.file(path: Array(output.utf8))).tracks[0].video?.rotation
    let isSaid = report.plan.tracks[0].reasons.contains("rotation_not_written")
    #expect((rotation == 0) == isSaid)
    if ["mp4", "mov"].contains(ending) { #expect(!isSaid) }
  }
}

/// An alpha channel stands beside the pictures of VP8 and VP9 in WebM (RFC 9559, 5.1.3.5.2).
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given VP9 with an alpha channel` {
  @Test func `when it is cut then it is said that this is left out, and the file announces none`()
    async throws
  {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "film.webm"), folder.path(of: "cut.webm"))
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2,format=yuva420p", "-c:v",
      "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "10", "-auto-alt-ref", "0",
      path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(report.plan.tracks.first?.reasons.contains("alpha_not_written") == true)
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let tags = try #require(facts.tracks.first).tags
    #expect(!tags.contains { $0.key.lowercased() == "alpha_mode" })
  }
}
