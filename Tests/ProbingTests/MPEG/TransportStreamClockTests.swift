import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a transport stream whose clock misbehaves` {
  private func probe(
    _ change: (Int, Int64) -> Int64?, depth: RequestedDepth = .packets
  ) throws -> MediaFacts {
    var clip = PatchedStream(bytes: try SampleClips.bytes("broadcast.ts"))
    clip.changeStamps(change)
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.ts")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
  }

  private func length(_ facts: MediaFacts) throws -> MediaDuration {
    try #require(facts.durations.presented).length
  }

  @Test(arguments: [Int64(1), 90_000, 200_000, 300_000])
  func `then one that wraps in the middle keeps its presented length`(before ticks: Int64) throws {
    let usual = try probe { $1 }
    let offset = 1 << 33 - ticks - 131_000
    #expect(try length(probe { $1 + offset }) == length(usual))
  }

  @Test func `then one without any timestamps is reported, with a note`() throws {
    let facts = try probe { _, _ in nil }
    #expect(facts.notes.contains { $0.id == .timestampsMissing })
  }

  @Test(arguments: RequestedDepth.allCases)
  func `then one that stops, runs backward or jumps presents no negative length`(
    _ depth: RequestedDepth
  ) throws {
    var random = SeededGenerator(seed: 18)
    let leaps = (0..<10_000).map { _ in Int64.random(in: 0..<1 << 33, using: &random) }
    let clocks: [(Int, Int64) -> Int64?] = [
      { _, _ in 131_000 }, { 1 << 32 - $1 + Int64($0) }, { leaps[$0 % leaps.count] ^ $1 },
      { $0 % 3 == 0 ? nil : $1 },
    ]
    for (number, clock) in clocks.enumerated() {
      let facts = try probe(clock, depth: depth)
      if depth != .header {
        let reported: Set<Note.ID> = [
          .dtsBackwards, .timestampDiscontinuity, .timestampsMissing,
        ]
        #expect(
          facts.notes.contains { reported.contains($0.id) },
          "clock \(number): \(facts.notes.map(\.id))"
        )
      }
      for fact in [facts.durations] + facts.tracks.map(\.durations) {
        for length in [fact.presented, fact.decoded, fact.declared].compactMap({ $0?.length }) {
          #expect(!length.seconds.isNegative)
        }
      }
    }
  }
}
