import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A transport packet with a payload may be sent a second time (ISO/IEC 13818-1, 2.4.3.3).
@Suite(.timeLimit(.minutes(1)))
struct `Given a transport stream that sends packets twice` {
  enum Repeats: CaseIterable {
    case all, everySeventh, beginnings, withNullPackets, withAnotherClock

    /// - Returns: what is sent after a packet.
    func behind(_ packet: [UInt8], _ number: Int) -> [[UInt8]] {
      switch self {
      case .all: return [packet]
      case .everySeventh: return number % 7 == 3 ? [packet] : []
      case .beginnings: return packet[1] & 0x40 != 0 ? [packet] : []
      case .withNullPackets:
        let null: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        // A packet without a payload does not advance the counter (2.4.3.3).
        var stuffed = [UInt8](repeating: 0xFF, count: 188)
        stuffed.replaceSubrange(0..<6, with: packet[..<3] + [0x20 | packet[3] & 0xF, 183, 0])
        stuffed[1] &= 0x1F
        return [null, stuffed, packet]
      case .withAnotherClock:
        guard packet[3] & 0x20 != 0, packet[4] >= 7, packet[5] & 0x10 != 0 else { return [] }
        var other = packet
        other[9] &+= 1
        return [other]
      }
    }
  }

  private func repeating(
    _ change: (_ packet: [UInt8], _ number: Int) -> [[UInt8]]
  ) throws -> [UInt8] {
    let bytes = try SampleClips.bytes("broadcast.ts")
    var result: [UInt8] = []
    for (number, place) in stride(from: 0, to: bytes.count, by: 188).enumerated() {
      let packet = Array(bytes[place..<place + 188])
      result += packet + change(packet, number).flatMap { $0 }
    }
    return result
  }

  private func probe(_ bytes: [UInt8]) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.ts")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets, wantsFrames: true))
  }

  @Test(
    arguments: Repeats.allCases,
    `Given concatenated segments of a transport stream`.Packing.allCases)
  func `then it is the same as without them`(
    _ repeats: Repeats,
    _ packing: `Given concatenated segments of a transport stream`.Packing
  ) throws {
    let once = try probe(SampleClips.bytes("broadcast.ts"))
    let facts = try probe(packing.pack(repeating(repeats.behind)))
    #expect(facts.damage.isEmpty)
    #expect(facts.tracks == once.tracks)
    #expect(facts.notes == once.notes)
  }

  @Test func `when it is cut then the part is the same as without repeats`() throws {
    let folder = try ScratchFolder()
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let clips = [try SampleClips.bytes("broadcast.ts"), try repeating(Repeats.everySeventh.behind)]
    let cuts = try clips.map { bytes in
      let path = try folder.write(bytes, to: "clip.ts")
      let output = folder.path(of: "cut.mkv")
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutRequest(range: range), to: Array(output.utf8), as: .matroska, replaces: true)
      #expect(report.examination?.damage.isEmpty == true)
      return try fileBytes(output)
    }
    #expect(cuts[0] == cuts[1])
  }

  @Test func `when the second one has other bytes then packets are lost`() throws {
    let facts = try probe(
      repeating { packet, number in
        guard number == 40 else { return [] }
        var other = packet
        other[150] ^= 1
        return [other]
      })
    #expect(facts.damage.map(\.kind) == [.undecodable])
  }
}
