import CommandLineKit
import ExactTime
import Glibc
import MediaEngine
import MediaFacts
import Support
import Synchronization
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

/// `b-frames.mp4` of 4 s at 25 frames a second, with parts of a copy of it, and of another kind of file.
@Suite(.timeLimit(.minutes(1))) struct `Given a studio's file with parts of others` {
  private let folder: TemporaryFolder
  private let file: StudioFile

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "a.mp4")
    try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "b.mp4")
    try folder.write(try SampleClips.bytes("ntsc.mp4"), to: "c.mp4")
    let nothing = OutputStream { (_) throws(OutputStream.Failure) in }
    let tool = Tool(
      environment: .fixed([:]), out: nothing, err: nothing,
      traits: { _, color, isPlain in
        StreamTraits(
          isTerminal: false, terminalColumns: nil, color: color, isPlain: isPlain,
          environment: .fixed([:]))
      }, engine: .live(isCancelled: { false }))
    let surroundings = StudioSurroundings(
      tool: tool, options: try StudioOptions(ParsedArguments()),
      flags: .inMemory(isClaimed: true))
    file = try await StudioEntry(ArgumentText(folder.path(of: "a.mp4")), in: surroundings).open()
    for name in ["b.mp4", "c.mp4"] {
      let path = Array(folder.path(of: name).utf8)
      try await file.sources.identify(path)
      file.sources.append(path, try #require(MediaTimeRange(from: .zero, to: MediaTime(4))))
    }
  }

  private func part(
    _ id: Int, _ from: Int64, _ to: Int64, of source: Int = 0
  ) throws -> TrimmingPart {
    TrimmingPart(
      id: id, range: try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to))),
      source: source)
  }

  private func export(_ parts: [TrimmingPart], joins: Bool) async throws -> [MediaFacts] {
    let list = try #require(PartList(parts, joins: joins))
    let request = ExportRequest(id: 1, location: "a.mp4", list: list, limit: .standard)
    _ = try await file.cutting.export.run(request) { _ in }
    return try file.cutting.results().map {
      try Prober().probe(.file(path: Array(folder.path(of: $0.name).utf8)))
    }
  }

  private func frames(_ facts: MediaFacts) -> Int? {
    facts.tracks.first { $0.kind == .video }?.frameCount
  }

  @Test func `when they are alike then nothing but edges is re-encoded`() async throws {
    let parts = [try part(1, 0, 2, of: 1), try part(2, 0, 4), try part(3, 2, 3, of: 1)]
    let outlook = try await file.cutting.outlook(parts, true)
    #expect(outlook.sizes.count == 3 && !outlook.sentence.contains(".mp4: its"))
    #expect(Set(outlook.encodedSources).isSubset(of: [1]))
    let written = try await export(parts, joins: true)
    #expect(written.map(frames) == [175])
  }

  @Test func `when one is of another rate then its edges are told as its own`() async throws {
    let parts = [try part(1, 0, 2), try part(2, 0, 1, of: 2)]
    let outlook = try await file.cutting.outlook(parts, true)
    #expect(outlook.encodedSources.contains(2))
    let written = try await export(parts, joins: true)
    #expect(written.map(frames) == [80])
  }

  @Test func `when each becomes a file then tracks are chosen for the first one only`()
    async throws
  {
    let sound = try #require(file.cutting.settings().tracks.first { $0.words.hasPrefix("audio") })
    try file.cutting.change(.tracks("\(sound.id)"))
    let parts = [try part(1, 1, 2), try part(2, 1, 2, of: 1)]
    let outlook = try await file.cutting.outlook(parts, false)
    #expect(outlook.sentence.hasPrefix("2 files, "), "\(outlook.sentence)")
    let written = try await export(parts, joins: false)
    #expect(written.map(frames) == [nil, 25])
  }

  @Test func `when tracks are chosen then the first file leads what is joined`() throws {
    let leading = Mutex<[Int?]>([])
    let cutter = MediaCutter(
      outlook: { orders in
        leading.withLock { $0 += orders.map(\.request.like) }
        return CutOutlook()
      }, cut: { _, _, _ in },
      preview: { _, _ in throw VideoFailure("nothing is made here") })
    let joining = MediaCutter(
      cutter, paths: { [Array("a".utf8), Array("b".utf8)] }, joined: { _ in cutter })
    let choices: [TrackChoice?] = [nil, TrackChoice(ids: [1])]
    for tracks in choices {
      var order = CutOrder(
        [try part(1, 0, 1, of: 1), try part(2, 0, 1)], as: CutSettings(),
        to: Array("c.mp4".utf8), limit: LengthLimit(maximum: nil), replaces: false)
      order.request.tracks = tracks
      _ = try joining.outlook([order])
    }
    #expect(leading.withLock { $0 } == [nil, 1])
  }

  @Test func `then a list of them names them, or is refused by a format that cannot`() async throws
  {
    let list = try #require(
      PartList([try part(1, 0, 2), try part(2, 1, 3, of: 1)], joins: true))
    let written = try await file.lists.write(list, "mpv")
    #expect(written.text.contains("a.mp4") && written.text.contains("b.mp4"))
    let failure = await #expect(throws: VideoFailure.self) {
      try await file.lists.write(list, "edl")
    }
    #expect(failure?.message.hasPrefix("The list was not written: ") == true)
  }

  @Test func `when a file is gone then the cut says which`() async throws {
    unlink(folder.path(of: "b.mp4"))
    let failure = await #expect(throws: (any Error).self) {
      _ = try await export([try part(1, 0, 1), try part(2, 0, 1, of: 1)], joins: true)
    }
    #expect("\(failure.map { "\($0)" } ?? "")".contains("b.mp4"))
  }
}
