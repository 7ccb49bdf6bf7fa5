import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// What the last pages of Ogg may hold that nobody hears (Vorbis I, A.2; RFC 3533, 6).
@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(1)))
struct `Given Ogg whose last packet is not heard` {
  private func pages() async throws -> OggPages {
    OggPages(
      try await EncodedFilm.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=2:seed=3:a=0.3", "-c:a",
        "libvorbis", "-f", "ogg", "-",
      ]).out)
  }

  private func cut(_ pages: OggPages, into ending: String) throws -> (
    length: MediaDuration, asked: MediaDuration
  ) {
    let folder = try ScratchFolder()
    let path = try folder.write(pages.file, to: "sound.ogg")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let end = try #require(facts.durations.presented?.length)
    let range = try #require(
      MediaTimeRange(from: MediaTime(1), to: MediaTime(seconds: end.seconds)))
    let output = folder.path(of: "cut." + ending)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try Prober().probe(.file(path: Array(output.utf8)))
    return (try #require(written.durations.presented?.length), range.length)
  }

  @Test(arguments: ["ogg", "mkv"])
  func `when it holds no byte then a cut up to the end leaves it out`(_ ending: String) async throws
  {
    var pages = try await pages()
    let last = try #require(pages.pages.last)
    pages.pages[pages.pages.count - 1].bytes[5] &= ~4
    var page = OggPages.Page(
      flags: 4, serial: Array(last.serial), number: last.bytes[18] + 1, packet: [])
    page.granule = last.granule
    pages.pages.append(page)
    let (length, asked) = try cut(pages, into: ending)
    #expect(try length.subtracting(asked).checkedMagnitude() < MediaDuration(30, 1000))
  }

  /// A packet of libvorbis adds at most 1024 samples at this rate.
  @Test(arguments: ["ogg", "mkv"])
  func `when all of it lies behind the stated end then a cut up to the end leaves it out`(
    _ ending: String
  ) async throws {
    var pages = try await pages()
    pages.pages[pages.pages.count - 1].granule -= 1800
    let (length, asked) = try cut(pages, into: ending)
    #expect(try length.subtracting(asked).checkedMagnitude() < MediaDuration(30, 1000))
  }
}
