import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Theora counts pictures from 1 in its pages since version 3.2.1, and before that from 0; the first page
/// has the first picture alone.
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given Theora of version 3.2.0` {
  private func film(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "film.ogv")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=1", "-c:v",
      "libtheora", "-g", "10", "-page_duration", "1", path,
    ])
    var film = OggPages(try fileBytes(path))
    let header = film.pages[0].body
    // Theora specification, 6.2: VREV, and KFGSHIFT, the bits of a position that count from a keyframe.
    film.pages[0].bytes[header + 9] = 0
    let (high, low) = (film.pages[0].bytes[header + 40], film.pages[0].bytes[header + 41])
    let shift = Int64(high & 3) << 3 | Int64(low >> 5)
    for page in film.pages.indices where film.pages[page].granule > 0 {
      film.pages[page].granule -= 1 << shift
    }
    return try folder.write(film.file, to: "early.ogv")
  }

  @Test func `when it is probed then every picture has a time of its own`() async throws {
    let folder = try ScratchFolder()
    let path = try await film(in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let presented = try #require(facts.tracks.first { $0.kind == .video }?.durations.presented)
    #expect(presented.start == .zero)
    #expect(presented.length == MediaDuration(1))
  }

  @Test func `when a part of the first picture is cut then that picture is shown`() async throws {
    let folder = try ScratchFolder()
    let path = try await film(in: folder)
    let range = try #require(
      MediaTimeRange(from: MediaTime(1, 500), to: MediaTime(16, 1000)))
    let film = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try film.cut(
      CutOrder(
        CutRequest(range: range, verification: .full),
        to: Array(folder.path(of: "cut.mkv").utf8)))
    #expect(report.plan.frames == 1)
  }
}
