package import MediaFacts

/// The tags of an FLV, with those that contain pictures parsed (Video File Format Specification
/// 10.1, E.4; Enhanced RTMP v1).
package struct FLVTags {
  private let file: InputFile
  private var position: Int64
  private let end: Int64

  /// The contents of a video tag.
  package struct Pictures {
    /// The codec's FFmpeg name, and its FourCC where the tag has one; `nil` for one of Flash's own.
    package var name: (codec: Codec, tag: String?)?
    package var content: Content
    package var isKey: Bool
    /// The DTS in milliseconds.
    package var time: Int64
    package var payload: Range<Int64>
  }

  package enum Content {
    case configuration
    /// The composition time offset in milliseconds.
    case frame(offset: Int64)
    case nothing
  }

  /// The size of the header before the body of every tag.
  static let headerByteCount: Int64 = 11

  package init?(_ file: InputFile) {
    let head = file.bytes(in: 0..<9, atMost: 9)
    guard head.count == 9, head.starts(with: "FLV".utf8), let size = file.byteCount else {
      return nil
    }
    self.file = file
    position = Self.number(head[5..<9]) + 4
    end = size
  }

  package static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// - Parameter position: where a tag begins.
  package init?(_ file: InputFile, from position: Int64) {
    guard let size = file.byteCount else { return nil }
    self.file = file
    self.position = position
    end = size
  }

  /// One tag of any kind.
  package struct Tag {
    /// 8 for audio, 9 for video, 18 for data; with a bit that marks an encrypted one.
    package var kind: UInt8
    /// The DTS in milliseconds.
    package var time: Int64
    package var body: Range<Int64>
    /// The first bytes of the body.
    package var head: ArraySlice<UInt8>

    /// Whether its codec is named by a FourCC: the highest bit of a video tag, format 9 of an audio
    /// tag.
    package var isNamed: Bool {
      guard let first = head.first else { return false }
      switch kind & 0x3F {
      case 8: return first >> 4 == 9
      case 9: return first & 0x80 != 0
      default: return false
      }
    }
  }

  /// The next tag; `nil` at the end, also where the file is truncated inside a tag or another FLV
  /// begins.
  package mutating func next() -> Tag? {
    guard position >= 9, end - position >= 11 else { return nil }
    let bytes = file.bytes(in: position..<min(end, position + 11 + 16), atMost: 27)
    guard bytes.count >= 11, [8, 9, 18].contains(bytes[0] & 0x1F), bytes[0] & 0xC0 == 0 else {
      return nil
    }
    let start = position + 11
    let size = Self.number(bytes[1..<4])
    guard size <= end - start else { return nil }
    position = start + size + 4
    let time = Int64(Int32(truncatingIfNeeded: Int64(bytes[7]) << 24 | Self.number(bytes[4..<7])))
    return Tag(
      kind: bytes[0], time: time, body: start..<start + size,
      head: bytes[11..<min(bytes.count, 11 + Int(size))])
  }

  /// Where another FLV begins after the last tag that was read, if one does, as in concatenated
  /// files.
  package var secondHeader: Int64? {
    let head = file.bytes(in: position..<max(position, min(end, position + 9)), atMost: 9)
    return head.count == 9 && head.starts(with: Array("FLV".utf8) + [1]) ? position : nil
  }

  /// The next video tag; `nil` at the end, also where the file is truncated inside a tag.
  package mutating func nextPictures() -> Pictures? {
    while let tag = next() {
      if let pictures = Self.pictures(in: tag) { return pictures }
    }
    return nil
  }

  /// - Returns: `nil` for a tag without pictures.
  package static func pictures(in tag: Tag) -> Pictures? {
    // Bit 5 marks an encrypted tag.
    guard tag.kind & 0x3F == 9, !tag.head.isEmpty else { return nil }
    return pictures(tag.head, tag.body, time: tag.time)
  }

  private static func pictures(
    _ bytes: ArraySlice<UInt8>, _ body: Range<Int64>, time: Int64
  ) -> Pictures? {
    guard let first = bytes.first else { return nil }
    let isEnhanced = first & 0x80 != 0
    let kind = first >> 4 & 7
    // A command frame for the player has no picture.
    guard kind != 5 else { return nil }
    var fields = bytes.dropFirst()
    var name: (codec: Codec, tag: String?)?
    var type = first & 0xF
    if isEnhanced {
      guard fields.count >= 4 else { return nil }
      let tag = String(decoding: fields.prefix(4), as: UTF8.self)
      name = codecs[tag].map { ($0, tag) }
      fields = fields.dropFirst(4)
    } else {
      name = numbered[type].map { ($0, nil) }
      guard name != nil, let packetType = fields.first else {
        return Pictures(
          name: nil, content: .nothing, isKey: kind == 1, time: time, payload: body)
      }
      type = packetType
      fields = fields.dropFirst()
    }
    var content = Content.nothing
    switch (isEnhanced, type) {
    case (_, 0): content = .configuration
    // Enhanced RTMP states an offset only for codecs with NAL units.
    case (_, 1) where !isEnhanced || offsetTags.contains(name?.tag ?? ""):
      guard fields.count >= 3 else { return nil }
      let offset = number(fields.prefix(3))
      content = .frame(offset: offset >= 1 << 23 ? offset - 1 << 24 : offset)
      fields = fields.dropFirst(3)
    case (true, 1), (true, 3): content = .frame(offset: 0)
    default: break
    }
    // The layout with codec numbers has the offset's bytes before a configuration too.
    if !isEnhanced, type == 0 { fields = fields.dropFirst(3) }
    let taken = Int64(fields.startIndex - bytes.startIndex)
    guard taken <= body.upperBound - body.lowerBound else { return nil }
    return Pictures(
      name: name, content: content, isKey: kind == 1, time: time,
      payload: body.lowerBound + taken..<body.upperBound)
  }

  private static let numbered: [UInt8: Codec] = [12: .hevc, 13: .av1, 14: .vvc]
  private static let codecs: [String: Codec] = [
    "hvc1": .hevc, "av01": .av1, "vp09": .vp9, "avc1": .h264, "vp08": .vp8, "vvc1": .vvc,
  ]
  private static let offsetTags: Set<String> = ["hvc1", "avc1", "vvc1"]
}
