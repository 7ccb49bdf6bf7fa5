/// FLV with codecs that Flash did not have.
package enum FLVBuilder {
  package static func tag(_ kind: UInt8, at time: Int, _ body: [UInt8]) -> [UInt8] {
    let size = BoxBuilder.Field.u32(UInt32(body.count)).bytes.dropFirst()
    let stamp = BoxBuilder.Field.u32(UInt32(time)).bytes
    return [kind] + size + stamp.dropFirst() + [stamp[0], 0, 0, 0] + body
      + BoxBuilder.Field.u32(UInt32(body.count + 11)).bytes
  }

  package static func file(_ tags: [[UInt8]]) -> [UInt8] {
    Array("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0] + tags.flatMap { $0 }
  }

  /// As some networks write it: a codec number, then the fields of H.264.
  package static func numbered(
    _ codec: UInt8, isKey: Bool, _ type: UInt8, offset: Int = 0, _ payload: [UInt8]
  ) -> [UInt8] {
    let offset = BoxBuilder.Field.u32(UInt32(truncatingIfNeeded: offset)).bytes.dropFirst()
    return [(isKey ? 1 : 2) << 4 | codec, type] + offset + payload
  }

  /// Enhanced RTMP.
  package static func named(_ codec: String, isKey: Bool, _ type: UInt8, _ payload: [UInt8])
    -> [UInt8]
  {
    [0x80 | (isKey ? 1 : 2) << 4 | type] + Array(codec.utf8) + payload
  }

  /// Enhanced RTMP, of sound.
  package static func sound(_ codec: String, _ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0x90 | type] + Array(codec.utf8) + payload
  }
}
