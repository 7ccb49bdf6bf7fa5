extension ISOElementaryStream {
  /// From the payload of an `esds` box; `nil` without a decoder configuration descriptor.
  init?(_ payload: ByteView) {
    var fields = FieldReader(payload)
    _ = fields.fullBoxHeader()
    var (tag, body) = Self.descriptor(&fields)
    if tag == 0x03 {
      // ES_ID, then three optional fields that the flags signal.
      var stream = FieldReader(body)
      _ = stream.u16()
      let flags = stream.u8()
      if flags & 0x80 != 0 { stream.skip(2) }
      if flags & 0x40 != 0 { stream.skip(Int(stream.u8())) }
      if flags & 0x20 != 0 { stream.skip(2) }
      (tag, body) = Self.descriptor(&stream)
    }
    guard tag == 0x04 else { return nil }
    var decoder = FieldReader(body)
    objectType = decoder.u8()
    streamType = decoder.u8() >> 2
    decoder.skip(3)
    maximumBitRate = decoder.u32()
    averageBitRate = decoder.u32()
    guard !decoder.isShort else { return nil }
    let (infoTag, info) = Self.descriptor(&decoder)
    decoderConfiguration = infoTag == 0x05 ? info.bytes : []
  }

  /// A tag and its content; the length is up to four groups of seven bits.
  private static func descriptor(_ fields: inout FieldReader) -> (tag: UInt8, body: ByteView) {
    let tag = fields.u8()
    var length = 0
    for _ in 0..<4 {
      let byte = fields.u8()
      length = length << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return (tag, fields.bytes(length))
  }
}
