import ExactTime
import Support
import Testing
import Trimming

@Suite struct `Given the audio of a file to cut` {
  /// Packets of 1024 samples at 48 kHz.
  static func track(packets: Int = 10, from first: Int64 = 0) -> CodedTrack {
    CodedTrack(
      index: 1, kind: .audio, codec: "aac", grid: TickGrid(ticksPerSecond: 48000), origin: .zero,
      visible: first..<first + Int64(packets) * 1024,
      packets: ContiguousArray(
        (0..<Int64(packets)).map { place in
          let pts = first + place * 1024
          return CodedPacket(pts: pts, dts: pts, duration: 1024, byteCount: 300, isKey: true)
        }))
  }

  /// A range in half samples, so that its ends can lie between two.
  static func halves(_ start: Int64, _ end: Int64) -> MediaTimeRange {
    range(at(start, 96000), at(end, 96000))
  }

  struct Part: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var precision = AudioPlanner.Precision.sample
    var preroll = 1
    var first: Int64 = 0
    /// In half samples.
    var range: (Int64, Int64)
    var copied: Range<Int>
    var hidden: (start: Int64, end: Int64) = (0, 0)
    /// In half samples.
    var start: Int64 = 0
    var length: Int64

    static let all = [
      Part(
        testDescription: "whole packets: the one before them only for the decoder",
        range: (4096, 8192), copied: 1..<4, hidden: (1024, 0), length: 4096),
      Part(
        testDescription: "ends inside packets", range: (5000, 7000), copied: 1..<4,
        hidden: (1476, 596), length: 2000),
      Part(
        testDescription: "ends between samples", range: (5001, 7001), copied: 1..<4,
        hidden: (1476, 595), length: 2000),
      Part(
        testDescription: "the first sample: nothing comes before", range: (0, 2), copied: 0..<1,
        hidden: (0, 1023), length: 2),
      Part(
        testDescription: "no run-up needed", preroll: 0, range: (4096, 8192), copied: 2..<4,
        length: 4096),
      Part(
        testDescription: "a run-up longer than what comes before", preroll: 4,
        range: (4096, 8192), copied: 0..<4, hidden: (2048, 0), length: 4096),
      Part(
        testDescription: "to behind the last sample", range: (18432, 99999), copied: 8..<10,
        hidden: (1024, 0), length: 2048),
      Part(
        testDescription: "sound that begins later than the range", first: 4800, range: (0, 19200),
        copied: 0..<5, hidden: (0, 320), start: 9600, length: 9600),
      Part(
        testDescription: "only whole packets: those that begin in the range", precision: .packet,
        range: (5000, 7000), copied: 3..<4, start: 1144, length: 2048),
      Part(
        testDescription: "only whole packets, from the one nearest to IN, before it",
        precision: .nearestPacket, range: (5000, 7000), copied: 2..<3, start: -904, length: 2048),
      Part(
        testDescription: "only whole packets, from the one nearest to IN, behind it",
        precision: .nearestPacket, range: (5200, 7400), copied: 3..<4, start: 944, length: 2048),
      Part(
        testDescription: "only whole packets, and none that reaches beyond OUT",
        precision: .packetsInside, range: (5200, 8190), copied: 0..<0, length: 0),
      Part(
        testDescription: "only whole packets, and one that ends with OUT",
        precision: .packetsInside, range: (5200, 8192), copied: 3..<4, start: 944, length: 2048),
      Part(
        testDescription: "from the packet in which IN lies, to exactly OUT",
        precision: .packetAround, range: (5000, 7000), copied: 2..<4, hidden: (0, 596), start: -904,
        length: 2904),
      Part(
        testDescription: "behind the end", range: (50000, 60000), copied: 0..<0, length: 0),
    ]
  }

  @Test(arguments: Part.all)
  func `when a part is cut then it is as exact as the container allows`(_ part: Part) throws {
    let planner = AudioPlanner(
      Self.track(from: part.first), preroll: part.preroll, precision: part.precision)
    let cut = try planner.cut(Self.halves(part.range.0, part.range.1))
    #expect(cut.copied == part.copied)
    #expect(cut.hiddenStart == part.hidden.start)
    #expect(cut.hiddenEnd == part.hidden.end)
    #expect(cut.start == at(part.start, 96000))
    #expect(cut.length == MediaDuration(part.length, 96000))
  }

  /// An edit list hides the encoder's priming: 2112 samples in Apple's files.
  @Test func `when audio starts late, inside a packet, then it keeps its position`() throws {
    var track = Self.track(from: 4800)
    track.visible = 4800 + 2112..<track.visible.upperBound
    let cut = try AudioPlanner(track, preroll: 1, precision: .sample).cut(Self.halves(2, 19200))
    #expect(cut.copied == 1..<5)
    #expect(cut.hiddenStart == 2112 - 1024)
    #expect(cut.start == at(4800 + 2112 - 1, 48000))
    #expect(cut.length == MediaDuration(9600 - 4800 - 2112, 48000))
  }

  /// Headers of a replicated band (ISO 14496-3, 4.4.2.8), with a packet more for its filter bank.
  @Test func `when only some packets carry headers then copying begins with the last of them`()
    throws
  {
    var planner = AudioPlanner(Self.track(), preroll: 1, precision: .sample)
    planner.entry = { place in place / 3 * 3 }
    let cut = try planner.cut(Self.halves(2 * 8 * 1024, 2 * 9 * 1024))
    #expect(cut.copied == 6..<9)
    #expect(cut.hiddenStart == 2048)
    let early = try planner.cut(Self.halves(2 * 7 * 1024, 2 * 9 * 1024))
    #expect(early.copied == 3..<9)
    #expect(early.hiddenStart == 4 * 1024)
    let first = try planner.cut(Self.halves(0, 2048))
    #expect(first.copied == 0..<1)
  }

  /// RFC 7845, 4.6: 80 ms, whatever the duration of a packet.
  @Test(arguments: [(120, 32), (240, 16), (480, 8), (960, 4), (2880, 2)] as [(Int64, Int)])
  func `when Opus packets are short then more of them are used as preroll`(
    _ length: Int64, _ count: Int
  ) throws {
    var track = Self.track(packets: 100)
    track.codec = "opus"
    for place in track.packets.indices {
      track.packets[place].pts = Int64(place) * length
      track.packets[place].dts = Int64(place) * length
      track.packets[place].duration = length
    }
    track.visible = 0..<100 * length
    let cut = try AudioPlanner(track, precision: .sample).cut(
      Self.halves(100 * length, 120 * length))
    #expect(cut.copied == 50 - count..<60)
    #expect(cut.hiddenStart == Int64(count) * length)
  }

  @Test func `when packets are farther apart than ticks can state then nothing overflows`() throws {
    var track = Self.track(packets: 4)
    track.codec = "opus"
    track.packets[0].pts = .min + 5000
    track.packets[1].pts = .min + 6024
    track.packets[2].pts = 1 << 60
    track.packets[3].pts = 1 << 60 + 1024
    track.visible = .min / 4..<Int64.max / 2
    let from = MediaTime(seconds: Rational(1 << 60 / 48000))
    let range = try #require(
      MediaTimeRange(from: from, to: try from.advanced(by: MediaDuration(1))))
    let cut = try AudioPlanner(track, precision: .sample).cut(range)
    #expect(cut.copied == 1..<4)
  }

  @Test func `when decoding can start only at some packets then the cut begins with one`()
    throws
  {
    var track = Self.track()
    for place in track.packets.indices { track.packets[place].isKey = place % 4 == 0 }
    let range = Self.halves(12000, 20000)
    let exact = try AudioPlanner(track, preroll: 1, precision: .sample, beginsAtKey: true)
      .cut(range)
    #expect(exact.copied == 4..<10)
    #expect(exact.hiddenStart == 6000 - 4096)
    #expect(exact.start == .zero)
    let whole = try AudioPlanner(track, preroll: 1, precision: .packet, beginsAtKey: true)
      .cut(range)
    #expect(whole.copied == 8..<10)
    #expect(whole.start == at(8192 - 6000, 48000))
    let none = try AudioPlanner(track, preroll: 1, precision: .packet, beginsAtKey: true)
      .cut(Self.halves(17000, 20000))
    #expect(none.copied.isEmpty)
  }

  /// AVI counts AC-3 this way: a tick is a packet of 1536 samples.
  private static let coarse: CodedTrack = {
    var track = Self.track(packets: 0)
    track.grid = (try? TickGrid(secondsPerTick: Rational(1536, 48000))) ?? track.grid
    track.visible = 0..<10
    track.packets = ContiguousArray(
      (0..<10).map { CodedPacket(pts: $0, dts: $0, duration: 1, byteCount: 300, isKey: true) })
    return track
  }()

  @Test(
    arguments: [
      (AudioPlanner.Precision.packetsInside, 3.4, 7.0, 3..<7), (.packetsInside, 3.6, 6.9, 4..<6),
      (.packetsInside, 3.5, 7.1, 3..<7), (.nearestPacket, 3.4, 6.4, 3..<6),
      (.nearestPacket, 3.6, 6.6, 4..<7), (.packet, 3.0, 6.0, 3..<6), (.packet, 3.001, 6.001, 4..<7),
    ] as [(AudioPlanner.Precision, Double, Double, Range<Int>)])
  func `when a tick is as long as a packet then the nearest one is still found`(
    _ precision: AudioPlanner.Precision, _ from: Double, _ to: Double, _ copied: Range<Int>
  ) throws {
    let range = range(at(Int64(from * 1536), 48000), at(Int64(to * 1536), 48000))
    let cut = try AudioPlanner(Self.coarse, preroll: 0, precision: precision).cut(range)
    #expect(cut.copied == copied)
  }

  private static let seeds = Array(UInt64(1)...200)

  private static func ends(_ seed: UInt64) -> ([Int64], SeededGenerator) {
    var generator = SeededGenerator(seed: seed)
    let inner = (0..<5).map { _ in Int64.random(in: 0...20480, using: &generator) }.sorted()
    return ([0] + inner + [20480], generator)
  }

  @Test(arguments: seeds)
  func `when it is split to the sample then each range is heard exactly, without gaps`(
    _ seed: UInt64
  ) throws {
    let (ends, generator) = Self.ends(seed)
    let planner = AudioPlanner(Self.track(), preroll: 2, precision: .sample)
    var total = MediaDuration.zero
    for (start, end) in zip(ends, ends.dropFirst()) where start < end {
      let cut = try planner.cut(Self.halves(start, end))
      // Where IN is between two samples and a packet begins there, the sound starts that much late.
      #expect(cut.start < at(1, 48000), "\(generator): \(start)..<\(end)")
      total = try total.adding(cut.start - .zero).adding(cut.length)
      let samples = Int64(cut.packetCount) * 1024 - cut.hiddenStart - cut.hiddenEnd
      // Half a sample at an end is heard as a whole sample or not at all.
      #expect((-1...3).contains(samples * 2 - (end - start)), "\(generator): \(start)..<\(end)")
    }
    #expect(total == MediaDuration(20480, 96000), "\(generator)")
  }

  @Test(arguments: seeds)
  func `when it is split by packets then each packet is in exactly one part`(_ seed: UInt64) throws
  {
    let (ends, generator) = Self.ends(seed)
    for precision in [AudioPlanner.Precision.packet, .nearestPacket] {
      let planner = AudioPlanner(Self.track(), preroll: 2, precision: precision)
      var places: [Int] = []
      for (start, end) in zip(ends, ends.dropFirst()) {
        places += try planner.cut(Self.halves(start, end)).copied
      }
      #expect(places == Array(0..<10), "\(generator)")
    }
  }
}
