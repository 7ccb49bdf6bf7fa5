import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a file whose boxes are listed by type and place` {
  private static func walk(_ bytes: [UInt8]) throws -> ISOPartWalk {
    try ISOPartWalk(reading: InMemoryBytes(bytes))
  }

  private static func fragment(_ boxes: [BoxBuilder]) -> BoxBuilder {
    let header = BoxBuilder("tfhd", fields: [.full(), .u32(1)])
    let run = BoxBuilder("trun", fields: [.full(), .u32(0)])
    return BoxBuilder(
      "moof",
      [
        BoxBuilder("mfhd", fields: [.full(), .u32(1)]), BoxBuilder("traf", [header, run] + boxes),
      ])
  }

  @Test func `then structure is not listed, and equal ones are counted`() throws {
    let other = BoxBuilder("uuid", fields: [.zeros(20)])
    var clip = ClipBuilder()
    clip.movieBoxes = [BoxBuilder("abcd"), BoxBuilder("udta", [BoxBuilder("name")])]
    clip.trailingBoxes = [
      Self.fragment([other]), Self.fragment([other]), Self.fragment([]), BoxBuilder("emsg"),
      BoxBuilder("free"),
    ]
    let parts = try Self.walk(clip.bytes).parts
    let found = parts.map { "\($0.count) \($0.part.type) \($0.part.place)" }
    #expect(found == ["1 emsg file", "1 abcd moov", "1 name moov/udta", "2 uuid moof/traf"])
    #expect(parts.last?.part.track == 0)
    #expect(parts.last?.byteCount == 56)
  }

  @Test func `then boxes that contain themselves thousands of times end the walk`() throws {
    var nested: [UInt8] = []
    for depth in stride(from: 5000, to: 0, by: -1) {
      let size = UInt32(8 * (5001 - depth))
      nested =
        (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        + Array("udta".utf8) + nested
    }
    var clip = ClipBuilder()
    clip.movieBoxes = []
    clip.tracks[0].trackBoxes = [BoxBuilder("udta", fields: [.bytes(nested)])]
    let parts = try Self.walk(clip.bytes).parts
    #expect(parts.map(\.part.type) == ["udta"])
  }

  @Test(arguments: [
    ([0, 0, 0, 0], false), ([0, 0, 0, 0, 0, 0, 0, 0, 0], false), ([0, 7, 0], true),
  ])
  func `then zeros after the last box are padding, and other bytes are not`(
    _ rest: [UInt8], _ isData: Bool
  ) throws {
    #expect((try Self.walk(ClipBuilder().bytes + rest).trailing != nil) == isData)
  }
}
