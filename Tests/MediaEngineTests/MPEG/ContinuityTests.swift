import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given concatenated segments of a transport stream` {
  /// How transport packets are stored.
  enum Packing: CaseIterable {
    case bare, withTimes, withChecks

    func pack(_ bytes: [UInt8]) -> [UInt8] {
      stride(from: 0, to: bytes.count, by: 188).flatMap { place -> [UInt8] in
        let packet = bytes[place..<min(bytes.count, place + 188)]
        return switch self {
        case .bare: Array(packet)
        case .withTimes: [0, 0, 0, 0] + packet
        case .withChecks: packet + [UInt8](repeating: 0, count: 16)
        }
      }
    }
  }

  /// Two segments on one clock, each counting its packets from zero.
  private func facts(_ packing: Packing, lacking packets: Int = 0) throws -> MediaFacts {
    let one = try SampleClips.bytes("broadcast.ts")
    var next = PatchedStream(bytes: one)
    // 1136/375 s: the first segment, with its sound.
    next.changeStamps { $1 + 272_640 }
    let folder = try ScratchFolder()
    let path = try folder.write(
      packing.pack(one.dropLast(packets * 188) + next.bytes), to: "clip.ts")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
  }

  @Test(arguments: Packing.allCases)
  func `when the first is complete then nothing is damaged, and a note reports them`(
    _ packing: Packing
  ) throws {
    let facts = try facts(packing)
    #expect(facts.damage.isEmpty)
    #expect(facts.notes.contains { $0.id == .continuityRestarts })
    #expect(facts.durations.presented?.length == MediaDuration(2272, 375))
  }

  @Test func `when the first ends within a picture then that is damaged`() throws {
    let facts = try facts(.bare, lacking: 45)
    #expect(facts.damage.map(\.kind) == [.undecodable])
    #expect(!facts.notes.contains { $0.id == .continuityRestarts })
  }
}
