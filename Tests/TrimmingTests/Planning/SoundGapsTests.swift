import ExactTime
import MediaFacts
import Testing

@testable import Trimming

/// Packets of 1000 ticks, one of which is moved.
@Suite struct `Given audio packets with a gap or an overlap` {
  /// - Parameter moved: by how many ticks the fourth packet, and all after it, begin later.
  private func track(_ codec: Codec, moved: Int64, durations: [Int64] = []) -> CodedTrack {
    CodedTrack(
      index: 0, kind: .audio, codec: codec, grid: TickGrid(ticksPerSecond: 90_000), origin: .zero,
      visible: 0..<Int64.max / 4,
      packets: ContiguousArray(
        (0..<6).map { place in
          let pts = Int64(place) * 1000 + (place < 3 ? 0 : moved)
          let duration = durations.isEmpty ? 1000 : durations[place]
          return CodedPacket(pts: pts, dts: pts, duration: duration, byteCount: 9, isKey: true)
        }))
  }

  @Test(arguments: [(875, nil), (876, 2), (1000, 2)] as [(Int64, Int?)])
  func `when a gap exceeds seven eighths then a packet is missing`(_ moved: Int64, _ place: Int?) {
    #expect(track("opus", moved: moved).firstMissing(in: 0..<6) == place)
    #expect(track("aac", moved: moved).firstMissing(in: 0..<6) == place)
  }

  /// As MP4 states it.
  @Test func `when the packet before spans the gap then one is still missing`() {
    let durations: [Int64] = [1000, 1000, 2000, 1000, 1000, 1000]
    #expect(track("aac", moved: 1000, durations: durations).firstMissing(in: 0..<6) == 2)
    // Packets of Opus may be of different lengths.
    #expect(track("opus", moved: 1000, durations: durations).firstMissing(in: 0..<6) == nil)
  }

  @Test func `when no duration is stated then none is missing`() {
    let durations = [Int64](repeating: 0, count: 6)
    #expect(track("wavpack", moved: 5000, durations: durations).firstMissing(in: 0..<6) == nil)
  }

  @Test(arguments: [(-125, nil), (-126, 2)] as [(Int64, Int?)])
  func `when more than an eighth is heard twice then they overlap`(_ moved: Int64, _ place: Int?) {
    #expect(track("mp3", moved: moved).firstOverlap(in: 0..<6) == place)
  }

  @Test(
    arguments: [(-126, false), (-125, true), (0, true), (125, true), (126, false)]
      as [(Int64, Bool)])
  func `when they are an eighth off then they are still continuous`(
    _ moved: Int64, _ isContinuous: Bool
  ) {
    #expect(track("mp3", moved: moved).isContinuous(in: 0..<6) == isContinuous)
    // The gap lies elsewhere.
    #expect(track("mp3", moved: moved).isContinuous(in: 3..<6))
  }

  @Test(arguments: [-125, 0, 125, 1000] as [Int64])
  func `when one is moved then the ones after it drift by as much`(_ moved: Int64) throws {
    let drift = MediaDuration(moved, 90_000)
    #expect(try self.drift(track("mp3", moved: moved), 0..<6) == drift.checkedMagnitude())
    // The gap lies elsewhere.
    #expect(try self.drift(track("mp3", moved: moved), 3..<6) == .zero)
    // As MP4 states it.
    let durations: [Int64] = [1000, 1000, 1000 + max(0, moved), 1000, 1000, 1000]
    let gapped = track("aac", moved: moved, durations: durations)
    #expect(try self.drift(gapped, 0..<6) == drift.checkedMagnitude())
  }

  @Test func `when each is a little late then drift adds up within a length, not beyond`()
    throws
  {
    var late = track("opus", moved: 0)
    for place in late.packets.indices { late.packets[place].pts += Int64(place) * 10 }
    #expect(try drift(late, 0..<6) == MediaDuration(50, 90_000))
    let lengths = [Int32](repeating: 1010, count: 6)
    #expect(try drift(late, 0..<6, lengths: lengths) == .zero)
    #expect(
      try drift(late, 0..<6, within: MediaDuration(2020, 90_000)) == MediaDuration(20, 90_000))
  }

  private func drift(
    _ track: CodedTrack, _ places: Range<Int>, within length: MediaDuration = MediaDuration(1),
    lengths: [Int32] = []
  ) throws -> MediaDuration {
    try track.drift(in: places, within: length, samplesPerSecond: 90_000, lengths: lengths)
  }

  @Test func `when a gap follows then a packet is heard as long as the others`() {
    let durations: [Int64] = [1000, 1000, 3000, 1000, 1000, 1000]
    #expect(track("aac", moved: 2000, durations: durations).soundLength(of: 2) == 1000)
    #expect(track("aac", moved: 2000).leadLength(of: 2) == 1000)
    #expect(track("aac", moved: 400).leadLength(of: 2) == 1400)
  }
}

/// Packets counted in samples at 48 kHz, of which one and all after it are moved.
@Suite struct `Given copied audio packets whose times are not stored in the output` {
  private func drift(_ codec: Codec, lasting length: Int64, moved: Int64) throws -> MediaDuration? {
    let packets = (0..<6).map { place in
      let pts = Int64(place) * length + (place < 3 ? 0 : moved)
      return CodedPacket(pts: pts, dts: pts, duration: length, byteCount: 9, isKey: true)
    }
    var track = SourceFacts.Track(
      id: 1, kind: .audio, codec: codec, isPresented: true,
      coded: CodedTrack(
        index: 0, kind: .audio, codec: codec, grid: TickGrid(ticksPerSecond: 48_000),
        origin: .zero, visible: 0..<Int64.max / 4, packets: ContiguousArray(packets)))
    track.sampleRate = 48_000
    return try track.drift(in: 0..<6, within: MediaDuration(1))
  }

  @Test(arguments: [1, -1])
  func `when short ones are off by more than 15 ms then that is too much`(_ sign: Int64) throws {
    #expect(try drift("opus", lasting: 960, moved: 720 * sign) == MediaDuration(15, 1000))
    #expect(try drift("opus", lasting: 960, moved: 721 * sign) == nil)
  }

  @Test(arguments: [1, -1])
  func `when long ones are off by more than half of one then that is too much`(
    _ sign: Int64
  ) throws {
    #expect(try drift("flac", lasting: 4096, moved: 2048 * sign) == MediaDuration(2048, 48_000))
    #expect(try drift("flac", lasting: 4096, moved: 2049 * sign) == nil)
  }

  /// For codecs with packets of equal length, a step is a gap or an overlap.
  @Test(arguments: [1, -1])
  func `when equal ones step by more than an eighth then that is too much`(_ sign: Int64) throws {
    #expect(try drift("mp3", lasting: 1152, moved: 144 * sign) == MediaDuration(3, 1000))
    #expect(try drift("mp3", lasting: 1152, moved: 145 * sign) == nil)
  }
}
