/// Matroska elements to be written (RFC 8794).
package enum EBMLBuilder {
  package static func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
    let name = BoxBuilder.Field.u32(id).bytes.drop { $0 == 0 }
    return name + BoxBuilder.Field.u64(UInt64(content.count) | 1 << 56).bytes + content
  }

  package static func number(_ id: UInt32, _ value: UInt64) -> [UInt8] {
    element(id, BoxBuilder.Field.u64(value).bytes)
  }

  /// A file with one video track and one block, with tags, each a name and a value.
  package static func clip(
    tags: [(name: String, value: [UInt8])], codec: String = "V_VP8",
    block: [UInt8] = [0x81, 0, 0, 0x80, 1, 2, 3], inTrack: [UInt8] = [], inSegment: [UInt8] = []
  ) -> [UInt8] {
    let header = element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
    let picture = number(0xB0, 16) + number(0xBA, 16)
    let track =
      number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 1) + element(0x86, Array(codec.utf8))
      + element(0xE0, picture) + inTrack
    let simple = tags.map {
      element(0x67C8, element(0x45A3, Array($0.name.utf8)) + element(0x4487, $0.value))
    }
    let tag = element(0x7373, element(0x63C0, []) + Array(simple.joined()))
    let cluster = element(
      0x1F43_B675, number(0xE7, 0) + element(0xA3, block))
    let body =
      element(0x1549_A966, number(0x2AD7_B1, 1_000_000))
      + element(0x1654_AE6B, element(0xAE, track))
      + element(0x1254_C367, tag) + inSegment + cluster
    return header + element(0x1853_8067, body)
  }
}
