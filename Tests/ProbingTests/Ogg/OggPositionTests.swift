import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Positions of Ogg pages, which state where the packets that end on them end (RFC 3533, 6).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given granule positions of Ogg pages` {
  private func pages(_ words: [String]) async throws -> OggPages {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogg")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i"] + words + ["-page_duration", "200000", path])
    return OggPages(try fileBytes(path))
  }

  private func probe(_ pages: OggPages, _ depth: RequestedDepth) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(pages.file, to: "clip.ogg")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  private static let depths = [RequestedDepth.packets, .frames]

  @Test(arguments: depths)
  func `when Vorbis begins before zero then it is heard from zero on`(
    _ depth: RequestedDepth
  ) async throws {
    var pages = try await pages(["sine=d=2:r=48000", "-c:a", "libvorbis"])
    let whole = try #require(try probe(pages, depth).durations.presented).length
    for place in pages.pages.indices where pages.pages[place].granule > 0 {
      pages.pages[place].granule -= 500
    }
    let facts = try probe(pages, depth)
    #expect(facts.durations.presented?.start == .zero)
    #expect(
      facts.durations.presented?.length == (try whole.subtracting(MediaDuration(500, 48_000))))
    if depth == .frames { #expect(facts.durations.decoded?.start == .zero) }
    #expect(facts.tracks.first?.audio?.priming == 500)
  }

  @Test(arguments: depths)
  func `when FLAC begins later then all of it is later`(_ depth: RequestedDepth) async throws {
    var pages = try await pages(["sine=d=2:r=44100", "-c:a", "flac"])
    for place in pages.pages.indices where pages.pages[place].granule > 0 {
      pages.pages[place].granule += 16_000
    }
    let facts = try probe(pages, depth)
    #expect(facts.durations.presented?.start == MediaTime(16_000, 44_100))
    #expect(facts.durations.presented?.length == MediaDuration(2))
    if depth == .frames { #expect(facts.durations.decoded?.length == MediaDuration(2)) }
  }

  @Test(arguments: depths)
  func `when empty packets follow the last Theora frame then each repeats it for one frame period`(
    _ depth: RequestedDepth
  ) async throws {
    var pages = try await pages(["testsrc2=s=64x48:r=25:d=2", "-c:v", "libtheora"])
    // The encoder also writes empty packets for pictures that equal the one before.
    let whole = try probe(pages, depth)
    #expect(whole.durations.presented?.length == MediaDuration(2))
    let last = try #require(pages.pages.last)
    pages.pages[pages.pages.count - 1].bytes[5] &= ~4
    for number in 1...UInt8(10) {
      var page = OggPages.Page(
        flags: number == 10 ? 4 : 0, serial: Array(last.serial), number: last.bytes[18] + number,
        packet: [])
      page.granule = last.granule + Int64(number)
      pages.pages.append(page)
    }
    let facts = try probe(pages, depth)
    #expect(facts.durations.presented?.length == MediaDuration(12, 5))
    #expect(facts.tracks.first?.frameCount == whole.tracks.first?.frameCount)
    if depth == .frames { #expect(facts.durations.decoded?.length == MediaDuration(12, 5)) }
    #expect(facts.damage.isEmpty)
  }
}
