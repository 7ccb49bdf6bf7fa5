/// A descriptor of an MPEG-4 elementary stream (ISO 14496-1, 7.2.2): a tag and bytes.
struct Descriptor {
  var tag: UInt8
  var body: [UInt8]

  /// The payload of an `esds` box with another DecoderSpecificInfo; `nil` if there is none to
  /// replace.
  static func replacing(_ configuration: [UInt8], in payload: [UInt8]) -> [UInt8]? {
    var fields = FieldReader(ByteView(payload, fileOffset: 0))
    fields.skip(4)
    guard let stream = Descriptor(&fields), stream.tag == 3, stream.body.count >= 3 else {
      return nil
    }
    // ES_ID, flags, then three optional fields that the flags signal.
    let flags = stream.body[2]
    var header = 3
    if flags & 0x80 != 0 { header += 2 }
    if flags & 0x40 != 0, header < stream.body.count { header += 1 + Int(stream.body[header]) }
    if flags & 0x20 != 0 { header += 2 }
    guard var parts = list(stream.body, after: header),
      let decoder = parts.firstIndex(where: { $0.tag == 4 }),
      var details = list(parts[decoder].body, after: 13)
    else { return nil }
    details.removeAll { $0.tag == 5 }
    details.insert(Descriptor(tag: 5, body: configuration), at: 0)
    parts[decoder].body = Array(parts[decoder].body.prefix(13)) + details.flatMap(\.bytes)
    let body = Array(stream.body.prefix(header)) + parts.flatMap(\.bytes)
    return Array(payload.prefix(4)) + Descriptor(tag: 3, body: body).bytes
  }

  private init(tag: UInt8, body: [UInt8]) {
    self.tag = tag
    self.body = body
  }

  private init?(_ fields: inout FieldReader) {
    tag = fields.u8()
    var length = 0
    for _ in 0..<4 {
      let byte = fields.u8()
      length = length << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    body = fields.bytes(length).bytes
    guard !fields.isShort else { return nil }
  }

  /// The descriptors after some fields; `nil` when they do not fit.
  private static func list(_ bytes: [UInt8], after count: Int) -> [Descriptor]? {
    guard count <= bytes.count else { return nil }
    var fields = FieldReader(ByteView(bytes, fileOffset: 0))
    fields.skip(count)
    var list: [Descriptor] = []
    while fields.remaining > 0 {
      guard let next = Descriptor(&fields) else { return nil }
      list.append(next)
    }
    return list
  }

  /// The descriptor with a four-byte length, as most writers use.
  private var bytes: [UInt8] {
    let groups = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: body.count >> $0 & 0x7F) }
    return [tag] + groups.prefix(3).map { $0 | 0x80 } + groups.suffix(1) + body
  }
}
