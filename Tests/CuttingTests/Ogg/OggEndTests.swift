import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

/// What the last pages of Ogg may hold that is not heard (Vorbis I, A.2; RFC 3533, 6).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Ogg whose last packet is not heard` {
  private func pages(_ codec: String = "libvorbis") async throws -> OggPages {
    OggPages(
      try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2.0137:seed=3:a=0.3", "-c:a",
        codec, "-f", "ogg", "-",
      ]).out)
  }

  /// Cuts from 1 s to a second after the end.
  ///
  /// - Returns: how much longer the cut is than the rest of the source.
  private func excess(of pages: OggPages, cutInto ending: String) throws -> MediaDuration {
    let folder = try ScratchFolder()
    let path = try folder.write(pages.file, to: "sound.ogg")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let end = try #require(facts.durations.presented?.end)
    let range = try #require(
      MediaTimeRange(from: MediaTime(1), to: end.advanced(by: MediaDuration(1))))
    let output = folder.path(of: "cut." + ending)
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try Prober().probe(.file(path: Array(output.utf8)))
    // Some begin with a whole packet, earlier or later.
    let rest = try end.distance(from: #require(report.plan.parts.first).start)
    return try #require(written.durations.presented?.length).subtracting(rest).checkedMagnitude()
  }

  @Test(arguments: ["ogg", "mkv"])
  func `when it is empty then a cut up to the end leaves it out`(_ ending: String) async throws {
    var pages = try await pages()
    let last = try #require(pages.pages.last)
    pages.pages[pages.pages.count - 1].bytes[5] &= ~4
    var page = OggPages.Page(
      flags: 4, serial: Array(last.serial), number: last.bytes[18] + 1, packet: [])
    page.granule = last.granule
    pages.pages.append(page)
    let excess = try excess(of: pages, cutInto: ending)
    #expect(excess < MediaDuration(5, 1000))
  }

  /// The page before states less sound than its packets hold.
  @Test(arguments: ["libvorbis", "libopus", "flac"], ["ogg", "mkv", "mp4"])
  func `when the end is marked on a page of its own then a cut ends where the page before does`(
    _ codec: String, _ ending: String
  ) async throws {
    var pages = try await pages(codec)
    let last = try #require(pages.pages.last)
    pages.pages[pages.pages.count - 1].bytes[5] &= ~4
    var page = OggPages.Page(
      flags: 4, serial: Array(last.serial), number: last.bytes[18] + 1, packet: nil)
    page.granule = last.granule
    pages.pages.append(page)
    let excess = try excess(of: pages, cutInto: ending)
    #expect(excess < MediaDuration(5, 1000))
  }

  @Test(arguments: ["ogg", "mkv"])
  func `when it begins where the last page ends then a cut up to the end leaves it out`(
    _ ending: String
  ) async throws {
    var pages = try await pages()
    let folder = try ScratchFolder()
    let path = try folder.write(pages.file, to: "whole.ogg")
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    pages.pages[pages.pages.count - 1].granule -= try #require(
      source.tracks[0].coded.packets.last?.duration)
    let excess = try excess(of: pages, cutInto: ending)
    #expect(excess < MediaDuration(5, 1000))
  }
}
