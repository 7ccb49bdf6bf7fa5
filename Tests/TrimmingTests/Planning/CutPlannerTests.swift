import ExactTime
import Foundation
import MediaFacts
import Support
import Testing
import Trimming

/// A request for part of a random source, into any container.
private struct Drawing: CustomStringConvertible {
  var source: DrawnSource
  var rules: ContainerRules
  var request: CutRequest
  var generator: SeededGenerator

  var description: String { "\(generator), \(rules.container), \(request): \(source)" }

  init(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let clip = DrawnClip.random(groups: 8, using: &generator)
    source = DrawnSource(
      clip, codec: ["h264", "hevc", "mpeg2video"].randomElement(using: &generator) ?? "h264",
      isISO: Bool.random(using: &generator))
    rules = (OutputContainer.allCases.randomElement(using: &generator) ?? .mp4).rules
    // Also off the frame grid.
    func time(_ ticks: ClosedRange<Int64>) -> (Int64, MediaTime) {
      let tick = Int64.random(in: ticks, using: &generator)
      return (tick, MediaTime(tick, 75))
    }
    let last = clip.ticks.upperBound * 3
    func range() throws -> MediaTimeRange {
      let (tick, from) = time(0...last - 1)
      return try #require(MediaTimeRange(from: from, to: time(tick + 1...last).1))
    }
    request = CutRequest(
      range: try range(), mode: CutMode.allCases.randomElement(using: &generator) ?? .smart)
    request.audio = AudioMode.allCases.randomElement(using: &generator) ?? .copy
    for _ in 0..<Int.random(in: 0...2, using: &generator) { request.join(try range()) }
    self.generator = generator
  }

  func plan(_ facts: SourceFacts? = nil) -> Result<CutPlan, PlanningError> {
    Result { () throws(PlanningError) in
      try CutPlanner([facts ?? source.facts], rules, request).plan()
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a random source to plan cuts of` {
  private static let seeds = Array(UInt64(1)...150)

  @Test func `then a large part of the requests has a plan`() throws {
    let plans = Self.seeds.filter { (try? Drawing($0).plan().get()) != nil }
    #expect(plans.count > Self.seeds.count / 4)
  }

  @Test(arguments: seeds)
  func `then the segments of each part are contiguous from its start to its end`(
    _ seed: UInt64
  ) throws {
    let drawing = try Drawing(seed)
    guard let plan = try? drawing.plan().get() else { return }
    for track in plan.tracks where track.dropped == nil {
      for (number, part) in plan.parts.enumerated() {
        guard let planned = part.tracks.first(where: { $0.source == track.index }) else { continue }
        let shown = track.segments.filter { $0.part == number && $0.treatment != .hidden }
        #expect(shown.first?.source.start == planned.sourceRange.start, "\(drawing)")
        #expect(shown.last?.source.end == planned.sourceRange.end, "\(drawing)")
        for (before, behind) in zip(shown, shown.dropFirst()) {
          #expect(before.source.end == behind.source.start, "\(drawing)")
          #expect(before.treatment != behind.treatment, "\(drawing)")
        }
      }
      #expect(track.segments.reduce(0) { $0 + $1.packets } == track.packets, "\(drawing)")
      let encoded = track.segments.filter { $0.treatment == .encoded }
      #expect(encoded.reduce(0) { $0 + $1.packets } == track.encoded, "\(drawing)")
    }
  }

  @Test(arguments: seeds)
  func `then every frame of a part is written once`(_ seed: UInt64) throws {
    let drawing = try Drawing(seed)
    guard let plan = try? drawing.plan().get() else { return }
    let packets = drawing.source.clip.packets
    for part in plan.parts {
      guard let cut = part.tracks.first(where: { $0.source == 0 })?.video else { continue }
      let opened = try drawing.source.facts.tracks[0].coded.opened(at: part.range)
      let left = Set(cut.left).union(cut.hidden)
      let written = cut.head + cut.replaced + cut.copied.filter { !left.contains($0) } + cut.tail
      #expect(Set(written).count == written.count, "\(drawing)")
      #expect(
        written.map { packets[$0].pts }.sorted()
          == packets.indices.filter { opened.ticks.contains(opened.coded.packets[$0].pts) }
          .map { packets[$0].pts }.sorted(), "\(drawing)")
    }
  }

  @Test(arguments: seeds)
  func `then planning again gives the same plan, which round-trips through JSON`(_ seed: UInt64)
    throws
  {
    let drawing = try Drawing(seed)
    let result = drawing.plan()
    #expect(drawing.plan() == result, "\(drawing)")
    guard let plan = try? result.get() else { return }
    let data = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(CutPlan.self, from: data) == plan, "\(drawing)")
    let counts = drawing.source.facts.tracks.map(\.coded.packets.count)
    #expect(plan.isWithin(counts, covers: []), "\(drawing)")
  }

  @Test(arguments: seeds)
  func `when facts are given only on request then the plan is the same`(
    _ seed: UInt64
  ) throws {
    let drawing = try Drawing(seed)
    let known = drawing.source.facts
    var facts = drawing.source.ignorant
    var asked: Set<MissingFact> = []
    while case .failure(.missing(let missing)) = drawing.plan(facts) {
      // Each is requested once.
      try #require(!missing.isEmpty && asked.isDisjoint(with: missing), "\(drawing)")
      asked.formUnion(missing)
      for fact in missing {
        switch fact {
        case .access(_, let track, let place):
          facts.learned[track, default: .init()].access[place] =
            known.learned[track]?.access[place] ?? .unknown
        case .holders(_, let track):
          facts.learned[track, default: .init()].holders = known.learned[track]?.holders
        case .encoder(_, let track):
          facts.learned[track, default: .init()].isEncodable = known.learned[track]?.isEncodable
        case .decoder(_, let track):
          facts.learned[track, default: .init()].isDecodable = true
        case .packetLengths(_, let track):
          facts.learned[track, default: .init()].packetLengths =
            known.learned[track]?.packetLengths ?? []
        case .soundEntry(_, let track, let place):
          facts.learned[track, default: .init()].soundEntries[place] =
            AudioEntry(before: place, next: place)
        case .alpha(_, let track):
          facts.learned[track, default: .init()].decodesToAlpha = false
        case .soundEncoder(_, let codec):
          facts.soundEncoders[codec] = known.soundEncoders[codec] ?? true
        case .codecs: facts.hasCodecs = true
        }
      }
    }
    #expect(drawing.plan(facts) == drawing.plan(), "\(drawing)")
  }

  @Test func `when two hours are encoded then the plan is short`() throws {
    let clip = DrawnClip(longGroups: 7200)
    var request = CutRequest(range: try #require(MediaTimeRange(from: .zero, to: MediaTime(7000))))
    request.mode = .reencode
    let plan = try CutPlanner(
      [DrawnSource(clip).facts], OutputContainer.mp4.rules, request
    ).plan()
    #expect(plan.frames == 7000 * 25)
    #expect(try JSONEncoder().encode(plan).count < 4000)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a plan that was modified` {
  private func plan() throws -> CutPlan {
    let clip = DrawnClip("I0 P3 B1 B2 P6 B4 B5 I7 P10 B8 B9 P13 B11 B12 I14 P15")
    let range = try #require(MediaTimeRange(from: MediaTime(2, 25), to: MediaTime(13, 25)))
    return try CutPlanner(
      [DrawnSource(clip).facts], OutputContainer.mp4.rules, CutRequest(range: range)
    ).plan()
  }

  @Test func `then packet indexes that the source does not have are detected`() throws {
    let plan = try plan()
    #expect(plan.isWithin([16, 30], covers: []))
    #expect(!plan.isWithin([10, 30], covers: []))
    #expect(!plan.isWithin([16, 3], covers: []))
    #expect(!plan.isWithin([16], covers: []))
  }

  @Test func `then numbers that would overflow are detected`() throws {
    var plan = try plan()
    plan.parts[0].tracks[1].audio?.hiddenEnd = .max
    #expect(!plan.isWithin([16, 30], covers: []))
  }

  @Test(arguments: ["[3,1]", "[0,9000000000000]", "[5,6,5,7]", "[-1,2]", "[1]"])
  func `then invalid runs of packet indexes are refused`(_ runs: String) throws {
    let text = try #require(String(bytes: JSONEncoder().encode(plan()), encoding: .utf8))
    let start = try #require(text.range(of: "\"head\":")?.upperBound)
    let end = try #require(text[start...].firstIndex(of: "]"))
    let changed = text[..<start] + runs + text[text.index(after: end)...]
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CutPlan.self, from: Data(changed.utf8))
    }
  }
}
