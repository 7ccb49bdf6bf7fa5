import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1))) struct `Given Matroska at an address` {
  private enum Name {
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let cues: UInt32 = 0x1C53_BB6B
    static let cluster: UInt32 = 0x1F43_B675
  }

  private static let name = "chapters.mkv"

  /// The sample with padding between its clusters, and what leads to its index.
  ///
  /// - Parameters:
  ///   - points: how many points the index has; `nil` for all.
  ///   - isFirst: whether the index precedes the clusters.
  private static func large(points: Int? = nil, isFirst: Bool = false) throws -> [UInt8] {
    let bytes = try SampleClips.bytes(name)
    let all = Array(EBMLElements(bytes[...]))
    let segment = try #require(all.first { $0.id == Name.segment })
    let elements = Array(EBMLElements(segment.content))
    let clusters = elements.filter { $0.id == Name.cluster }.map {
      EBMLBuilder.element($0.id, Array($0.content))
    }
    #expect(clusters.count == 2)
    let known: Set<UInt32> = [Name.seekHead, Name.cues, Name.cluster, 0xEC]
    let head = elements.filter { !known.contains($0.id) }.flatMap {
      EBMLBuilder.element($0.id, Array($0.content))
    }
    let void = EBMLBuilder.element(0xEC, [UInt8](repeating: 0, count: 9 << 20))
    let old = try #require(elements.first { $0.id == Name.cues })
    let starts = elements.filter { $0.id == Name.cluster }.map {
      UInt64($0.content.startIndex - segment.content.startIndex)
    }
    func cues(at places: [UInt64]) -> [UInt8] {
      let found = EBMLElements(old.content).filter { $0.id == 0xBB }
      return EBMLBuilder.element(
        Name.cues,
        found.prefix(points ?? found.count).flatMap { point -> [UInt8] in
          let parts = Array(EBMLElements(point.content))
          let time = parts.first { $0.id == 0xB3 }?.number ?? 0
          let positions = parts.filter { $0.id == 0xB7 }.flatMap { position -> [UInt8] in
            let inner = Array(EBMLElements(position.content))
            let place = inner.first { $0.id == 0xF1 }?.number ?? 0
            return EBMLBuilder.element(
              0xB7,
              EBMLBuilder.number(0xF7, inner.first { $0.id == 0xF7 }?.number ?? 0)
                + EBMLBuilder.number(0xF1, places[place < starts[0] ? 0 : 1]))
          }
          return EBMLBuilder.element(0xBB, EBMLBuilder.number(0xB3, time) + positions)
        })
    }
    func seekHead(_ place: Int) -> [UInt8] {
      let entry =
        EBMLBuilder.element(0x53AB, [0x1C, 0x53, 0xBB, 0x6B])
        + EBMLBuilder.number(0x53AC, UInt64(place))
      return EBMLBuilder.element(Name.seekHead, EBMLBuilder.element(0x4DBB, entry))
    }
    let index = cues(at: [0, 0])
    let front = seekHead(0).count + head.count + (isFirst ? index.count : 0)
    let second = front + clusters[0].count + void.count
    let written = cues(at: [UInt64(front), UInt64(second)])
    let body: [UInt8] =
      isFirst
      ? seekHead(seekHead(0).count + head.count) + head + written + clusters[0] + void + clusters[1]
      : seekHead(second + clusters[1].count) + head + clusters[0] + void + clusters[1] + written
    return EBMLBuilder.element(0x1A45_DFA3, Array(all[0].content))
      + EBMLBuilder.element(Name.segment, body)
  }

  private static func probe(
    _ bytes: [UInt8], at address: String,
    _ options: ProbeOptions = ProbeOptions(wantsKeyframes: true)
  ) throws -> (facts: MediaFacts, cost: RemoteCost) {
    let double = RemoteDouble(bytes)
    let facts = try Prober().probe(
      RemoteDoubles.input(double, at: "https://matroska.example/\(address)"), options: options)
    return (facts, double.cost)
  }

  private static var local: MediaFacts {
    get throws {
      try Prober().probe(
        .file(path: Array(SampleClips.path(name).utf8)), options: ProbeOptions(wantsKeyframes: true)
      )
    }
  }

  @Test(arguments: [false, true])
  func `when it is large then its index and both ends are read`(_ isFirst: Bool) throws {
    let local = try Self.local
    let (facts, cost) = try Self.probe(Self.large(isFirst: isFirst), at: "ends-\(isFirst).mkv")
    #expect(cost.requests <= 3)
    #expect(cost.bytes <= 2_000_000)
    #expect(facts.durations.presented == local.durations.presented)
    #expect(facts.durations.declared == local.durations.declared)
    #expect(facts.tracks.map(\.durations.presented) == local.tracks.map(\.durations.presented))
    #expect(facts.tracks.map(\.codec) == local.tracks.map(\.codec))
    #expect(facts.tracks.map(\.audio) == local.tracks.map(\.audio))
    #expect(facts.tracks.map(\.video?.pixelFormat) == local.tracks.map(\.video?.pixelFormat))
    #expect(
      facts.tracks.map { $0.keyframes.map(\.time) } == local.tracks.map { $0.keyframes.map(\.time) }
    )
    #expect(facts.chapters == local.chapters)
    #expect(facts.depth == .header)
    // What is not counted is not stated.
    #expect(
      facts.tracks.allSatisfy { $0.frameCount == nil && $0.sampleCount == nil && $0.gops == nil })
    #expect(facts.notes.contains { $0.id == .onlyEndsRead })
    #expect(!facts.notes.contains { $0.id == .soundGap || $0.id == .variableFrameRate })
  }

  @Test func `when it has no index then headers are read, or all of it where its length is needed`()
    throws
  {
    let bytes = try Self.large(points: 0)
    #expect(
      try Self.probe(bytes, at: "none.mkv").facts.notes.contains { $0.id == .onlyHeadersRead })
    var options = ProbeOptions()
    options.needsLength = true
    let (facts, _) = try Self.probe(bytes, at: "needed.mkv", options)
    #expect(try facts.durations.presented == Self.local.durations.presented)
    #expect(facts.depth == .packets)
    #expect(!facts.notes.contains { $0.id == .onlyHeadersRead })
  }

  @Test func `when it is cut short then its ends are not those of its media`() throws {
    let bytes = try Self.large()
    let (facts, _) = try Self.probe(Array(bytes.dropLast(20_000)), at: "short.mkv")
    #expect(facts.durations.presented == nil)
    #expect(facts.damage.contains { $0.kind == .truncated })
  }
}
