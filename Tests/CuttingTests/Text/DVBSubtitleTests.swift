import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting
@testable import MediaFiles

/// Subtitles of DVB (ETSI EN 300 743) are pages that stay until others replace them, or until they
/// time out.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given DVB subtitles` {
  /// A page composition with a number of regions, and the end of its display set.
  private static func page(
    state: UInt8, regions: Int, longest: UInt8 = 30, version: UInt8
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x0F, 0x10, 0, 1, 0, UInt8(2 + 6 * regions), longest]
    bytes.append(version << 4 | state << 2 | 3)
    for region in 0..<regions { bytes += [UInt8(region), 0, 0, 20, 0, 20] }
    return bytes + [0x0F, 0x80, 0, 1, 0, 0]
  }

  /// Shown from 0 s, changed at 1 s, removed at 2 s, and shown again from 2.4 s for at most a second.
  private static let pages = [
    page(state: 2, regions: 1, version: 0), page(state: 0, regions: 2, version: 1),
    page(state: 0, regions: 0, version: 2),
    page(state: 1, regions: 1, longest: 1, version: 3),
  ]

  /// A file with these packets.
  private static func clip(
    in folder: ScratchFolder, _ pages: [[UInt8]] = pages, at times: [Int] = [0, 1000, 2000, 2400]
  ) async throws -> String {
    try await TransportClip.make(
      in: folder, .subtitles, zip(pages, times).map { ([0x20, 0x00] + $0 + [0xFF], $1) })
  }

  /// Where pages of the source are in the cut, in frames of 40 ms.
  struct Case: CustomTestStringConvertible, Sendable {
    let range: Range<Int64>
    let versions: [Int]
    let starts: [Int64]
    var testDescription: String { "frames \(range)" }
  }

  @Test(
    arguments: [
      // One that is on screen at IN.
      Case(range: 10..<20, versions: [0], starts: [0]),
      // A change is on screen at IN, which needs the page that it changes.
      Case(range: 30..<60, versions: [0, 1, 2], starts: [0, 0, 20]),
      // Nothing is on the screen.
      Case(range: 52..<58, versions: [], starts: []),
      Case(range: 55..<70, versions: [3], starts: [5]),
      // It times out after frame 84.
      Case(range: 84..<95, versions: [3], starts: [0]),
      Case(range: 85..<95, versions: [], starts: []),
    ], ["ts", "mkv"])
  func `then those on screen at IN begin there, unchanged`(
    _ it: Case, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
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
    // Readers merge packets with the same PTS.
    #expect(Set(track.coded.packets.map(\.pts)).count == it.versions.count)
  }

  /// It is on the screen for a second.
  @Test func `when a page states a timeout then it is not shown after that`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.clip(in: folder).utf8)))
    let track = try #require(clip.source.tracks.first { $0.facts.codec == "dvb_subtitle" })
    #expect(track.coded.packets.map(\.duration) == [90_000, 90_000, 0, 90_000])
    #expect(track.coded.packets.map(\.isKey) == [true, false, false, true])
  }

  /// ETSI EN 300 743, 6.1: a packet may have no segments.
  @Test func `when a packet has no segment then it is left out`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, [Self.pages[0], [], Self.pages[1], Self.pages[3]])
    let output = folder.path(of: "cut.ts")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.source.tracks[1].coded.packets.count == 3)
  }

  /// All containers store these subtitles alike, so every bit is compared.
  @Test(arguments: [0x0F, nil] as [UInt8?])
  func `when what was written differs then the proof reports it`(
    _ changed: UInt8?
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.clip(in: folder).utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(4, 5)))
    let plan = try clip.plan(CutRequest(range: range), for: .matroska)
    let source = try OutputView(clip.source, plan).source
    let spool = PayloadSpool()
    let tracks = try CutAssembly(
      source: source, plan: plan, number: 0, spool: spool, limits: .standard,
      isCancelled: { false }
    ).tracks()
    let output = folder.path(of: "cut.mkv")
    let pending = try PendingFile(at: Array(output.utf8), replacing: true)
    let prints = try PacketWriter(
      source: source, spool: spool, container: .matroska, isCancelled: { false }
    ).write(tracks, labels: FileLabels(), to: pending) { _ in true }
    try pending.publish()
    let proof = CutProof(
      tracks: tracks, fingerprints: prints, source: source, container: .matroska,
      isFull: false, limits: .standard, isCancelled: { false })
    _ = try proof.check(InputFile(path: Array(output.utf8)))

    var bytes = try fileBytes(output)
    if let changed {
      let place = try #require(bytes.firstRange(of: Self.pages[0])?.upperBound)
      bytes[place - 4] ^= changed
    } else {
      let name = try #require(bytes.firstRange(of: Array("S_DVBSUB".utf8)))
      bytes.replaceSubrange(name, with: Array("S_VOBSUB".utf8))
    }
    try folder.write(bytes, to: "cut.mkv")
    let error = #expect(throws: MediaError.self) {
      try proof.check(InputFile(path: Array(output.utf8)))
    }
    #expect(error?.code == .verificationFailed)
  }

  @Test func `then a page shows whether decoding can start there, and how long it stays`() throws {
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
