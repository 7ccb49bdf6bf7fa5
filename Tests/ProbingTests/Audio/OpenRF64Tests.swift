import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// WAV beyond 32 bits: its sizes are in a separate chunk (EBU Tech 3306; ITU-R BS.2088).
@Suite struct `Given WAV with 64-bit sizes` {
  private static func bytes(_ count: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
  }

  /// Two seconds of 44.1 kHz, mono, of 16 bits.
  private static func sound(_ name: String, isStated: Bool) -> [UInt8] {
    let count: UInt64 = 176_400
    let format = bytes(1, 2) + bytes(1, 2) + bytes(44_100, 4) + bytes(88_200, 4) + bytes(2, 2)
    let lengths =
      isStated
      ? bytes(count + 72, 8) + bytes(count, 8) + bytes(88_200, 8)
      : [UInt8](repeating: 0, count: 24)
    let head =
      Array(name.utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVEds64".utf8) + bytes(28, 4) + lengths
      + bytes(0, 4)
    return head + Array("fmt ".utf8) + bytes(16, 4) + format + bytes(16, 2) + Array("data".utf8)
      + [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: Int(count))
  }

  private func probe(_ bytes: [UInt8]) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound.wav")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
  }

  @Test(arguments: ["RF64", "BW64"], [true, false])
  func `then all of its audio is presented, even if a pipe left the sizes open`(
    _ name: String, _ isStated: Bool
  ) throws {
    let facts = try probe(Self.sound(name, isStated: isStated))
    #expect(facts.durations.presented?.length == MediaDuration(2))
    #expect(facts.damage.isEmpty)
  }

  @Test(arguments: ["RF64", "BW64"])
  func `when it ends before its sizes state then it is truncated`(_ name: String) throws {
    let facts = try probe(Array(Self.sound(name, isStated: true).dropLast(50_000)))
    #expect(facts.damage.map(\.kind) == [.truncated])
  }
}
