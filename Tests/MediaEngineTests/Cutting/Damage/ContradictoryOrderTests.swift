import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Of one picture a container says that it is shown behind the one that follows it, or before the one that it
/// follows, and the pictures themselves say that it is not.
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures whose PTS contradict the order in which they are shown` {
  @Test(
    arguments: [
      (["mpeg4", "-bf", "0"], "eq(N,51)*50", "mkv"),
      (["mpeg4", "-bf", "0"], "eq(N,52)*90", "avi"),
      (["libx264", "-bf", "2"], "eq(N,52)*-50", "mp4"),
      (["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "eq(N,50)*50", "mkv"),
      (["mpeg2video", "-bf", "0"], "eq(N,52)*90", "ts"),
    ])
  func `when a part is cut that begins within a group then the source is told to be damaged there`(
    _ codec: [String], _ late: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (plain, path) = (folder.path(of: "plain.mkv"), folder.path(of: "film.mkv"))
    _ = try await EncodedFilm.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-c:v"] + codec
        + ["-g", "50", plain])
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-i", plain, "-c", "copy", "-bsf:v", "setts=pts='TS+\(late)':dts=DTS", path,
    ])
    let film = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(13, 10), to: MediaTime(3)))
    let output = folder.path(of: "cut." + ending)
    let error = try #require(throws: CutError.self) {
      try film.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    }
    #expect(error.code == .damaged && error.message.contains("order"), "\(error.message)")
    let times = try #require(error.times)
    #expect(times.start > MediaTime(19, 10) && times.end < MediaTime(23, 10))
  }
}
