import CommandLineKit
import Detection
import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

@testable import TrimCommands

@Suite struct `Given what a sealed process says it has found` {
  private static func range(_ from: Int64, _ to: Int64) -> MediaTimeRange {
    guard let range = MediaTimeRange(from: MediaTime(from, 1), to: MediaTime(to, 1)) else {
      fatalError("\(from) is not before \(to)")
    }
    return range
  }

  private static func request() throws -> FindRequest {
    var facts = Clips.lasting(MediaDuration(10))
    facts.tracks = [TrackFacts(id: 1, index: 0, kind: .video, codec: "h264")]
    let parsed = try ArgumentParser(root: CommandTable.root).parse(["find", "a.mkv", "--black"])
    guard case .run(_, let words) = parsed else { throw Failed() }
    return FindRequest(
      media: try #require(DrawnMedia(Array("a.mkv".utf8), facts)),
      options: try FindOptions(words, command: "find"))
  }

  private struct Failed: Error {}

  private static func answer() throws -> Findings {
    var found = Findings(range(0, 10), try request().options)
    found.tracks = [1]
    found.findings = [
      Finding(.black, range(1, 2), score: 0.25), Finding(.black, range(4, 6), score: nil),
    ]
    found.unseen = [Findings.Unseen(track: 1, range: range(8, 9))]
    return found
  }

  @Test func `then what it can find is accepted, and is the same after the way`() throws {
    let answer = try Self.answer()
    let reported = try JSONValue.encoded(answer).decoded(as: Findings.self)
    #expect(reported == answer)
    #expect(reported.canAnswer(try Self.request()))
  }

  static let lies: [@Sendable (inout Findings) -> Void] = [
    { $0.findings[0].range = range(9, 11) }, { $0.findings[1].range = range(1, 3) },
    { $0.findings[0].range = range(1, 1) }, { $0.findings[0].kind = .silence },
    { $0.tracks = [7] }, { $0.tracks = [] }, { $0.tracks = [1, 1] },
    { $0.unseen[0].range = range(9, 12) }, { $0.unseen[0].track = 2 },
    { $0.options.isFast = true }, { $0.range = range(0, 20) },
    { $0.findings[0].channel = 1 }, { $0.level = AudioLevel(tenths: -500) },
    { $0.missing = [Findings.Missing(kinds: [.scene], reason: "noPicture", message: "x")] },
    {
      let text = String(repeating: "x", count: 5000)
      $0.missing = [Findings.Missing(kinds: [.black], reason: "noPicture", message: text)]
    },
  ]

  @Test(arguments: lies.indices)
  func `when it cannot be an answer then it is refused`(_ index: Int) throws {
    var answer = try Self.answer()
    Self.lies[index](&answer)
    #expect(try !answer.canAnswer(Self.request()))
  }

  @Test(arguments: [
    #"{"kind":"black","range":{"start":"2","end":"1"}}"#, #"{"kind":"x","range":null}"#,
    #"{"kind":"black","range":{"start":0.5,"end":"1"}}"#,
    #"{"kind":"black","range":{"start":"0","end":"1"},"hundredths":0.5}"#,
  ])
  func `when it is no finding then it is not read`(_ text: String) throws {
    let value = try JSONReader.read(Array(text.utf8))
    #expect(throws: (any Error).self) { try value.decoded(as: Finding.self) }
  }
}

@Suite struct `Given findings to remove from a cut` {
  private static func range(_ from: Int64, _ to: Int64) -> MediaTimeRange {
    guard let range = MediaTimeRange(from: MediaTime(from, 10), to: MediaTime(to, 10)) else {
      fatalError("\(from) is not before \(to)")
    }
    return range
  }

  private static func removals(
    _ findings: [Finding], in parts: [MediaTimeRange], _ words: String...
  ) throws -> [MediaTimeRange] {
    let line = ["cut", "a.mkv", "--remove", "silence", "--remove", "black"] + words
    let parsed = try ArgumentParser(root: CommandTable.root).parse(line.map { ArgumentText($0) })
    guard case .run(_, let words) = parsed else { return [] }
    let search = try #require(try CutOptions(words).search)
    var found = Findings(range(0, 100), search.options)
    found.findings = findings
    return try search.removals(found, in: parts)
  }

  @Test func `then those that touch are one, and keep a margin except at the ends of a part`()
    throws
  {
    let found = [
      Finding(.silence, Self.range(0, 10)), Finding(.silence, Self.range(30, 40)),
      Finding(.silence, Self.range(60, 61)), Finding(.black, Self.range(38, 50)),
      Finding(.black, Self.range(90, 100)), Finding(.scene, Self.range(0, 100)),
    ]
    #expect(
      try Self.removals(found, in: [Self.range(0, 100)]) == [
        Self.range(0, 9), Self.range(31, 49), Self.range(91, 100),
      ])
    #expect(
      try Self.removals(found, in: [Self.range(35, 95)], "--margin", "0") == [
        Self.range(35, 50), Self.range(60, 61), Self.range(90, 95),
      ])
  }

  @Test func `when it is split then only places within its parts count`() throws {
    func splits(_ words: String...) throws -> [MediaTime] {
      let parsed = try ArgumentParser(root: CommandTable.root).parse(
        (["cut", "a.mkv", "--split", "scenes"] + words).map { ArgumentText($0) })
      guard case .run(_, let words) = parsed else { return [] }
      let search = try #require(try CutOptions(words).search)
      var found = Findings(Self.range(0, 100), search.options)
      found.findings = [(0, 12), (12, 25), (25, 28), (28, 60), (60, 100)].map {
        Finding(.scene, Self.range($0.0, $0.1))
      }
      return try search.splits(
        found, in: [Self.range(0, 20), Self.range(40, 50), Self.range(50, 100)], frames: nil)
    }
    #expect(try splits() == [MediaTime(12, 10), MediaTime(6)])
    // The fourth scene is what the second part begins in.
    #expect(try splits("--as-chapters") == [MediaTime(12, 10), MediaTime(28, 10), MediaTime(6)])
  }

  @Test func `then what is left between two goes where it is too short, and nothing else does`()
    throws
  {
    let found = [
      Finding(.silence, Self.range(3, 10)), Finding(.silence, Self.range(15, 20)),
      Finding(.silence, Self.range(30, 98)),
    ]
    // What is kept is 0.7 s with its margins.
    #expect(
      try Self.removals(found, in: [Self.range(0, 100)], "--min-keep", "0.7").count == 3)
    #expect(
      try Self.removals(found, in: [Self.range(0, 100)], "--min-keep", "0.71") == [
        Self.range(4, 19), Self.range(31, 97),
      ])
  }
}
