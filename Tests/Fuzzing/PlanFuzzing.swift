import ExactTime
import Foundation
import MediaFacts
import Trimming

/// Plans described by bytes: packets in any order, ranges anywhere, facts that arrive one by one.
enum PlanFuzzing {
  /// The remaining bytes, followed by zeros.
  private struct Source {
    var rest: ArraySlice<UInt8>

    mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }
    mutating func choice<Element>(_ all: [Element]) -> Element { all[byte() % all.count] }

    /// Usually small, occasionally as large as 64 bits allow.
    mutating func number() -> Int64 {
      let first = byte()
      guard first > 0xF0 else { return Int64(Int8(truncatingIfNeeded: first)) }
      return (0..<8).reduce(Int64(0)) { value, _ in value << 8 | Int64(byte()) }
    }

    mutating func time() -> MediaTime? {
      let (above, below) = (number(), number())
      let seconds = try? Rational(checked: Int128(above), over: Int128(max(1, below)))
      return seconds.map { MediaTime(seconds: $0) }
    }
  }

  private static let codecs: [Codec] = [
    .h264, .hevc, .av1, .vp9, .mpeg4, .mpeg2Video, .prores, .aac, .mp3, .opus, .vorbis, .flac,
    .pcmS16LE, .ac3, .subRip,
  ]

  static func plan(_ input: [UInt8]) {
    var source = Source(rest: input[...])
    let container = source.choice(OutputContainer.allCases)
    guard let first = source.time(), let second = source.time(),
      let range = MediaTimeRange(from: min(first, second), to: max(first, second))
    else { return }
    var request = CutRequest(
      range: range, mode: source.choice(CutMode.allCases),
      verification: source.choice(CutRequest.Verification.allCases))
    let flags = source.byte()
    request.isStrict = flags & 1 != 0
    request.isFragmented = flags & 2 != 0
    request.isSoundAlone = flags & 4 != 0
    if flags & 8 != 0, let start = source.time(), let end = source.time(),
      let other = MediaTimeRange(from: min(start, end), to: max(start, end))
    {
      request.join(other)
    }
    var facts = SourceFacts(
      identity: SourceIdentity(byteCount: Int64(input.count), head: 1, times: 2),
      format: flags & 16 == 0 ? "mp4" : "matroska", isISO: flags & 16 == 0, isQuickTime: false,
      tracks: (0..<1 + source.byte() % 3).map { track($0, &source) })
    // Every answer leads to the next question.
    for _ in 0..<64 {
      do throws(PlanningError) {
        let plan = try CutPlanner([facts], container.rules, request).plan()
        check(plan)
        return
      } catch {
        guard case .missing(let missing) = error else { return }
        for fact in missing { learn(fact, &facts, &source) }
      }
    }
  }

  private static func track(_ index: Int, _ source: inout Source) -> SourceFacts.Track {
    let codec = source.choice(codecs)
    let kind: TrackKind =
      switch codec {
      case .subRip: .subtitle
      case .aac, .mp3, .opus, .vorbis, .flac, .pcmS16LE, .ac3: .audio
      default: .video
      }
    var dts: Int64 = 0
    var packets: ContiguousArray<CodedPacket> = []
    for _ in 0..<source.byte() {
      let step = source.number()
      dts = dts &+ step
      packets.append(
        CodedPacket(
          pts: dts &+ source.number(), dts: dts, duration: step, byteCount: source.byte(),
          isKey: source.byte() % 4 == 0))
    }
    var track = SourceFacts.Track(
      id: index + 1, kind: kind, codec: codec, isPresented: source.byte() % 8 != 0,
      coded: CodedTrack(
        index: index, kind: kind, codec: codec,
        grid: TickGrid(ticksPerSecond: source.choice([1, 25, 1000, 44_100, 48_000, 90_000])),
        origin: source.time() ?? .zero, visible: Int64.min / 4..<Int64.max / 4, packets: packets))
    if kind == .video { track.frameRate = Rational(source.choice([1, 24, 25, 60])) }
    if kind == .audio { track.sampleRate = source.choice([8000, 44_100, 48_000]) }
    track.isConfigured = source.byte() % 4 != 0
    return track
  }

  private static func learn(
    _ fact: MissingFact, _ facts: inout SourceFacts, _ source: inout Source
  ) {
    switch fact {
    case .access(_, let track, let place):
      facts.learned[track, default: .init()].access[place] =
        source.choice(RandomAccessKind.allCases)
    case .encoder(_, let track):
      facts.learned[track, default: .init()].isEncodable = source.byte() % 4 != 0
    case .decoder(_, let track):
      facts.learned[track, default: .init()].isDecodable = source.byte() % 4 != 0
    case .packetLengths(_, let track): facts.learned[track, default: .init()].packetLengths = []
    case .soundEntry(_, let track, let place):
      facts.learned[track, default: .init()].soundEntries[place] = AudioEntry(
        before: Int(source.byte()) % (place + 1), next: source.byte() % 2 == 0 ? nil : place)
    case .alpha(_, let track):
      facts.learned[track, default: .init()].decodesToAlpha = source.byte() % 2 == 0
    case .soundEncoder(_, let codec): facts.soundEncoders[codec] = source.byte() % 4 != 0
    case .codecs: facts.hasCodecs = true
    case .holders(_, let track):
      facts.learned[track, default: .init()].holders = Set(
        OutputContainer.allCases.filter { _ in source.byte() % 4 != 0 })
    }
  }

  /// Every plan round-trips through JSON.
  private static func check(_ plan: CutPlan) {
    guard let bytes = try? JSONEncoder().encode(plan),
      let read = try? JSONDecoder().decode(CutPlan.self, from: bytes)
    else { preconditionFailure("a plan is not written and read") }
    precondition(read == plan, "a plan is read as another")
  }
}
