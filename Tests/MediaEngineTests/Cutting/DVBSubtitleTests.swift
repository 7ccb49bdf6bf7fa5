import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// Subtitles of DVB (ETSI EN 300 743) are pages that stand until others come, or for as long as they say.
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given subtitles of DVB` {
  private static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ((bytes - 1 - $0) * 8)) }
  }

  /// A page composition of so many regions, and the end of its display set.
  private static func page(
    state: UInt8, regions: Int, longest: UInt8 = 30, version: UInt8
  ) -> [UInt8] {
    [0x0F, 0x10, 0, 1] + number(2 + 6 * regions, bytes: 2)
      + [longest, version << 4 | state << 2 | 3]
      + (0..<regions).flatMap { [UInt8($0), 0, 0, 20, 0, 20] } + [0x0F, 0x80, 0, 1, 0, 0]
  }

  /// Shown from 0 s, changed at 1 s, taken off at 2 s, and shown again from 2.4 s on for a second at most.
  private static let pages = [
    page(state: 2, regions: 1, version: 0), page(state: 0, regions: 2, version: 1),
    page(state: 0, regions: 0, version: 2),
    page(state: 1, regions: 1, longest: 1, version: 3),
  ]

  /// A packet of PES in one of the transport stream.
  private static func packet(_ segments: [UInt8], at pts: Int, number: UInt8) -> [UInt8] {
    let time: [UInt8] = [
      0x21 | UInt8(truncatingIfNeeded: pts >> 29) & 0x0E, UInt8(truncatingIfNeeded: pts >> 22),
      0x01 | UInt8(truncatingIfNeeded: pts >> 14) & 0xFE, UInt8(truncatingIfNeeded: pts >> 7),
      0x01 | UInt8(truncatingIfNeeded: pts << 1),
    ]
    let payload = [0x84, 0x80, 5] + time + [0x20, 0x00] + segments + [0xFF]
    let pes: [UInt8] = [0, 0, 1, 0xBD] + Self.number(payload.count, bytes: 2) + payload
    let stuffing = 184 - pes.count
    return [0x47, 0x41, 0x01, 0x30 | number] + [UInt8(stuffing - 1), 0]
      + [UInt8](repeating: 0xFF, count: stuffing - 2) + pes
  }

  /// FFmpeg writes what its own encoder makes; its packets are replaced.
  private static func film(
    in folder: ScratchFolder, _ pages: [[UInt8]] = pages
  ) async throws -> String {
    let picture: [UInt8] = [0, 0, 0, 0xC0, 0, 0, 14, 0, 8, 0, 1] + [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    func segment(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
      Array("PG".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, type] + number(payload.count, bytes: 2) + payload
    }
    try folder.write(
      segment(
        0x16, [1, 0x40, 0, 0xC0, 0x10, 0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 20, 0, 20])
        + segment(0x17, [1, 0, 0, 20, 0, 20, 0, 8, 0, 1])
        + segment(0x14, [0, 0, 1, 200, 128, 128, 255]) + segment(0x15, picture)
        + segment(0x80, []), to: "a.sup")
    let path = folder.path(of: "film.ts")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-i", try await EncodedFilm.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.sup"), "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "dvbsub",
      "-metadata:s:s", "language=deu", path,
    ])
    let bytes = try fileBytes(path)
    var others: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 188)
    where bytes[start + 1] & 0x1F != 1 || bytes[start + 2] != 1 {
      others += bytes[start..<start + 188]
    }
    try folder.write(others, to: "film.ts")
    let film = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let zero = try TickGrid(ticksPerSecond: 90_000).tick(of: film.source.zero, rounding: .nearest)
    let head = others.prefix(3 * 188)
    let packets = pages.enumerated().flatMap { place, page in
      packet(page, at: Int(zero) + [0, 90_000, 180_000, 216_000][place], number: UInt8(place))
    }
    try folder.write(head + packets + others.dropFirst(3 * 188), to: "film.ts")
    return path
  }

  /// Where pages of the source stand in the cut, in frames of 40 ms.
  struct Case: CustomTestStringConvertible, Sendable {
    let range: Range<Int64>
    let versions: [Int]
    let starts: [Int64]
    var testDescription: String { "frames \(range)" }
  }

  @Test(
    arguments: [
      // One that stands at IN.
      Case(range: 10..<20, versions: [0], starts: [0]),
      // A change stands there, which needs what was changed.
      Case(range: 30..<60, versions: [0, 1, 2], starts: [0, 0, 20]),
      // Nothing is on the screen.
      Case(range: 52..<58, versions: [], starts: []),
      Case(range: 55..<70, versions: [3], starts: [5]),
      // It was there for as long as it says.
      Case(range: 84..<95, versions: [3], starts: [0]),
      Case(range: 85..<95, versions: [], starts: []),
    ], ["ts", "mkv"])
  func `then those on the screen at IN begin there, as they are`(
    _ it: Case, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.film(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(it.range.lowerBound, 25), to: MediaTime(it.range.upperBound, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    guard !it.versions.isEmpty else {
      #expect(
        written.source.tracks.allSatisfy { $0.coded.packets.isEmpty || $0.facts.kind == .video })
      return
    }
    let track = written.source.tracks[1]
    #expect(track.facts.codec == "dvb_subtitle" && track.facts.language == "deu")
    let places = track.coded.packets.indices
    try written.source.prepare([1: [places]])
    #expect(
      try places.map { try written.source.bytes(ofTrack: 1, $0) }
        == it.versions.map { Self.pages[$0] })
    let grid = TickGrid(ticksPerSecond: 25)
    #expect(
      try places.map {
        try grid.tick(of: track.coded.time(atTick: track.coded.packets[$0].pts), rounding: .nearest)
      } == it.starts)
    // Readers take packets of one PTS for one.
    if ending == "ts" { #expect(Set(track.coded.packets.map(\.pts)).count == it.versions.count) }
  }

  /// It is on the screen for a second.
  @Test func `when a page says for how long it stands then it is not shown behind that`()
    async throws
  {
    let folder = try ScratchFolder()
    let film = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.film(in: folder).utf8)))
    let track = try #require(film.source.tracks.first { $0.facts.codec == "dvb_subtitle" })
    #expect(track.coded.packets.map(\.duration) == [90_000, 90_000, 0, 90_000])
    #expect(track.coded.packets.map(\.isKey) == [true, false, false, true])
  }

  /// ETSI EN 300 743, 6.1: a packet may have none.
  @Test func `when a packet has no segment then it is left out`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.film(in: folder, [Self.pages[0], [], Self.pages[1], Self.pages[3]])
    let output = folder.path(of: "cut.ts")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.source.tracks[1].coded.packets.count == 3)
  }

  @Test func `then a page says whether it can be entered, and for how long it stands`() throws {
    let page = try #require(PageComposition(Self.pages[3]))
    #expect(page.isComplete && !page.isEmpty && page.longest == 1)
    let definition: [UInt8] = [0x0F, 0x14, 0, 1, 0, 5, 0, 1, 0x3F, 0, 0xBF]
    let empty = try #require(PageComposition(definition + Self.pages[2]))
    #expect(!empty.isComplete && empty.isEmpty && empty.longest == 30)
    #expect(PageComposition(definition) == nil)
    #expect(PageComposition(Self.pages[3].prefix(7)) == nil)
    #expect(PageComposition([0x0F, 0x10, 0, 1, 0, 1, 9]) == nil)
    #expect(PageComposition([UInt8]()) == nil)
    let wrapped = [0x20, 0x00] + Self.pages[0] + [0xFF]
    #expect(PageComposition.segments(of: wrapped) == Self.pages[0])
    #expect(PageComposition.segments(of: Self.pages[0]) == Self.pages[0])
  }
}
