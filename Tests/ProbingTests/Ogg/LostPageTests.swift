import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Ogg with a missing or rejected page (RFC 3533, 6).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Opus in Ogg` {
  /// Ten packets a page.
  private func pages() async throws -> OggPages {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.opus")
    _ = try await EncodedClip.ffmpeg([
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

  @Test func `when a page has the serial number of no stream then it is reported and skipped`()
    async throws
  {
    var pages = try await pages()
    let whole = try #require(try probe(pages).durations.presented)
    pages.pages[5].bytes.replaceSubrange(14..<18, with: [7, 7, 7, 7])
    let facts = try probe(pages)
    #expect(facts.durations.presented?.length == whole.length)
    #expect(facts.damage.contains { $0.kind == .invalidStructure })
  }

  @Test func `when a page is missing then that is damage, with its place`() async throws {
    var pages = try await pages()
    #expect(try probe(pages).damage.isEmpty)
    pages.pages.remove(at: 5)
    let start = pages.pages[..<5].reduce(0) { $0 + $1.bytes.count }
    let facts = try probe(pages)
    #expect(facts.damage.map(\.kind) == [.invalidStructure])
    #expect(facts.damage.first?.byteOffset == Int64(start))
    #expect(try probe(pages, .header).damage.isEmpty)
  }

  @Test func `when the recording starts mid-stream then nothing is missing`() async throws {
    var pages = try await pages()
    // The first two are headers.
    pages.pages.removeSubrange(2..<4)
    #expect(try probe(pages).damage.isEmpty)
  }

  @Test func `when one page is invalid then the gap after it is not reported too`() async throws {
    let pages = try await pages()
    var file = pages.file
    let start = pages.pages[..<5].reduce(0) { $0 + $1.bytes.count }
    // Its page number is wrong too.
    file[start + 18] ^= 0x55
    let folder = try ScratchFolder()
    let path = try folder.write(file, to: "sound.opus")
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
    #expect(facts.damage.map(\.byteOffset) == [Int64(start)])
  }

  @Test(arguments: [0, 144_000, 480_000], [true, false])
  func `when a second link begins at any position then it follows the first immediately`(
    _ offset: Int64, _ hasOwnSerial: Bool
  ) async throws {
    let first = try await pages()
    let length = try #require(try probe(first).durations.presented).length
    var chain = first
    for var page in first.pages {
      if hasOwnSerial { page.bytes.replaceSubrange(14..<18, with: [7, 7, 7, 7]) }
      if page.granule > 0 { page.granule += offset }
      chain.pages.append(page)
    }
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(chain, depth)
      #expect(facts.durations.presented?.length == length + length)
      #expect(facts.tracks.first?.audio?.priming == 2 * 312)
      #expect(facts.damage.isEmpty)
      #expect(!facts.notes.contains { $0.id == .startsLate })
    }
  }
}
