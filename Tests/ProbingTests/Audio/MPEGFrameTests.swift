import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Silent frames of MP3, without a container.
@Suite struct `Given an MP3` {
  /// MPEG-1, layer III, 128 kb/s, 44.1 kHz, mono: 1,152 samples in 417 bytes (ISO 11172-3, 2.4.2.3).
  private static let frame =
    [0xFF, 0xFB, 0x90, 0xC0] as [UInt8] + [UInt8](repeating: 0, count: 413)
  /// MPEG-2, 64 kb/s, 22.05 kHz: 576 samples in 208 bytes (ISO 13818-3).
  private static let slowFrame =
    [0xFF, 0xF3, 0x80, 0xC0] as [UInt8] + [UInt8](repeating: 0, count: 204)

  private static func frames(_ count: Int) -> [UInt8] { Bombs.repeated(frame, count: count) }

  private func probe(_ bytes: [UInt8], _ depth: RequestedDepth) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "sound.mp3")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  private static let depths = [RequestedDepth.packets, .frames]
  /// ID3v2.4 with two hundred bytes of padding, and ID3v1.
  private static let tags = [
    Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0x48] + [UInt8](repeating: 0, count: 200),
    Array("TAG".utf8) + [UInt8](repeating: 0, count: 125),
  ]

  @Test(arguments: tags, depths)
  func `when there is a tag between its frames then all of them are presented`(
    _ tag: [UInt8], _ depth: RequestedDepth
  ) throws {
    let facts = try probe(Self.frames(40) + tag + Self.frames(40), depth)
    #expect(facts.durations.presented?.length == MediaDuration(80 * 1152, 44_100))
    #expect(facts.damage.isEmpty)
    if depth == .frames {
      #expect(facts.durations.decoded?.length == facts.durations.presented?.length)
    }
  }

  @Test(arguments: depths)
  func `when there is garbage between its frames then that is damage, and no frame is lost`(
    _ depth: RequestedDepth
  ) throws {
    let garbage = Bombs.repeated([0x12, 0x34], count: 300)
    let facts = try probe(Self.frames(40) + garbage + Self.frames(38), depth)
    #expect(facts.durations.presented?.length == MediaDuration(78 * 1152, 44_100))
    #expect(facts.damage.map(\.kind) == [.garbage])
  }

  @Test(arguments: depths)
  func `when its rate changes then each frame's own header gives its duration`(
    _ depth: RequestedDepth
  ) throws {
    let facts = try probe(
      Self.frames(40) + Bombs.repeated(Self.slowFrame, count: 40), depth)
    let length = MediaDuration(40 * 1152, 44_100) + MediaDuration(40 * 576, 22_050)
    #expect(facts.durations.presented?.length == length)
    #expect(facts.damage.isEmpty)
  }

  @Test(arguments: depths)
  func `when its first frame is a Xing tag without numbers then that is not audio`(
    _ depth: RequestedDepth
  ) throws {
    var info = Self.frame
    // After the header and seventeen bytes of side information; no flag is set.
    info.replaceSubrange(21..<25, with: Array("Xing".utf8))
    for head in [[], Self.tags[0]] {
      let facts = try probe(head + info + Self.frames(78), depth)
      #expect(facts.durations.presented?.length == MediaDuration(78 * 1152, 44_100))
      #expect(facts.durations.presented?.start == .zero)
      if depth == .frames {
        #expect(facts.durations.decoded?.length == facts.durations.presented?.length)
      }
      #expect(facts.damage.isEmpty)
    }
  }
}
