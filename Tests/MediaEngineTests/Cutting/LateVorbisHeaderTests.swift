import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The headers of a stream of Ogg may come behind the first data of another (RFC 3533, 6).
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in Ogg whose headers come behind the first pictures` {
  /// The pages of a file, each from its "OggS" to the next.
  private static func pages(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pages: [ArraySlice<UInt8>] = []
    var start = 0
    while start + 27 <= bytes.count {
      let segments = Int(bytes[start + 26])
      let body = bytes[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      let end = start + 27 + segments + body
      pages.append(bytes[start..<end])
      start = end
    }
    return pages
  }

  private func film(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "first.ogv")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libtheora", "-g", "30", "-c:a",
      "libvorbis", "-ac", "1", "-page_duration", "200000", path,
    ])
    var pages = Self.pages(try fileBytes(path))
    func serial(_ page: ArraySlice<UInt8>) -> [UInt8] {
      Array(page[(page.startIndex + 14)..<(page.startIndex + 18)])
    }
    let sound = serial(pages[1])
    let headers = try #require(pages.indices.dropFirst(2).first { serial(pages[$0]) == sound })
    let pictures = try #require(
      pages.indices.first { place in
        place > headers && serial(pages[place]) != sound
      })
    pages.insert(pages.remove(at: headers), at: pictures)
    return try folder.write(pages.flatMap { $0 }, to: "late.ogv")
  }

  @Test(arguments: ["mkv", "ogg"])
  func `when it is cut then they are taken for no sound`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await film(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let sound = try #require(facts.tracks.first { $0.kind == .audio }?.durations.presented)
    #expect(try sound.length.subtracting(MediaDuration(2)).magnitude < MediaDuration(1, 20))
  }
}
