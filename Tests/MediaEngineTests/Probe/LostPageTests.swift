import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// Pages of Ogg of which one is missing, or is refused (RFC 3533, 6).
@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(1)))
struct `Given Opus in Ogg` {
  /// Ten packets a page.
  private func pages() async throws -> OggPages {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.opus")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=48000", "-c:a", "libopus",
      "-page_duration", "200000", path,
    ])
    return OggPages(try fileBytes(path))
  }

  private func probe(_ pages: OggPages, _ depth: RequestedDepth = .packets) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(pages.file, to: "sound.opus")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: [RequestedDepth.packets, .frames])
  func `when a page in the middle states no position then what follows it is presented`(
    _ depth: RequestedDepth
  ) async throws {
    var pages = try await pages()
    let whole = try #require(try probe(pages).durations.presented)
    pages.pages[5].granule = -1
    let facts = try probe(pages, depth)
    #expect(facts.durations.presented?.length == whole.length)
    #expect(facts.damage.contains { $0.kind == .invalidStructure })
  }

  @Test func `when a page has the serial number of no stream then it is told, and read past`()
    async throws
  {
    var pages = try await pages()
    let whole = try #require(try probe(pages).durations.presented)
    pages.pages[5].bytes.replaceSubrange(14..<18, with: [7, 7, 7, 7])
    let facts = try probe(pages)
    #expect(facts.durations.presented?.length == whole.length)
    #expect(facts.damage.contains { $0.kind == .invalidStructure })
  }
}
