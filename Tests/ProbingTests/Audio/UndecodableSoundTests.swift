import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given raw AAC that no decoder accepts` {
  /// Frames of nine bytes: 44.1 kHz stereo by their headers (ISO 14496-3, 1.A.2.2).
  private func probe(frames count: Int, blocks: Int = 1) throws -> MediaFacts {
    let frame: [UInt8] = [
      0xFF, 0xF1, 0x50, 0x80, 0x01, 0x3F, 0xFC | UInt8(blocks - 1), 0x21, 0x00,
    ]
    let folder = try ScratchFolder()
    let path = try folder.write(Bombs.repeated(frame, count: count), to: "clip.aac")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
  }

  @Test(arguments: [1, 4]) func `then its length and rate are those of its headers`(
    blocks: Int
  ) throws {
    let facts = try probe(frames: 441, blocks: blocks)
    #expect(facts.tracks.first?.audio?.sampleRate == 44_100)
    #expect(
      facts.durations.presented?.length.seconds
        == Rational(1024 * 441 * Int64(blocks), 44_100))
  }

  @Test func `then a hundred thousand frames are not endless audio`() throws {
    let facts = try probe(frames: 100_000)
    #expect(facts.damage.isEmpty)
    #expect(facts.tracks.first?.sampleCount == 100_000)
  }
}
