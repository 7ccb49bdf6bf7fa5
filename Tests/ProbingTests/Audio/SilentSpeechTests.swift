import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// AMR whose encoder sent nothing during silence (RFC 4867, 4.3.1 and 5.3).
@Suite struct `Given AMR with pauses` {
  /// Speech at 12.2 and 4.75 kb/s, an empty frame, and one that describes comfort noise.
  private static let group: [UInt8] =
    [0x3C] + [UInt8](repeating: 0x11, count: 31) + [0x04] + [UInt8](repeating: 0x11, count: 12)
    + [0x7C] + [0x44] + [UInt8](repeating: 0, count: 5)

  @Test(arguments: [RequestedDepth.packets, .frames])
  func `then they last as long as speech, and are not damage`(_ depth: RequestedDepth) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      Array("#!AMR\n".utf8) + Bombs.repeated(Self.group, count: 25), to: "speech.amr")
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
    #expect(facts.durations.presented?.length == MediaDuration(2))
    #expect(facts.damage.isEmpty)
    #expect(facts.notes.contains { $0.id == .silenceNotDecoded } == (depth == .frames))
  }
}
