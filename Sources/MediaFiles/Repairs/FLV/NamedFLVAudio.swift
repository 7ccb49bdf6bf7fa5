/// The part of one track in an enhanced audio tag (Enhanced RTMP v2, ExAudioTagHeader).
package struct NamedFLVAudio {
  /// AudioPacketType.
  package var content: Content
  /// 0 where the tag does not number its tracks.
  package var track: UInt8
  /// The FourCC, with nonprintable characters as “?”.
  package var name: String
  package var payload: Range<Int64>

  package enum Content: UInt8 {
    case sequenceStart = 0
    case codedFrames = 1
    case sequenceEnd = 2
    /// The channel order, which FFmpeg also writes for Flash's own audio formats.
    case multichannelConfiguration = 4
  }

  private static let multitrack: UInt8 = 5
  private static let modifier: UInt8 = 7

  /// How many tracks a tag has, and whether each has its own FourCC or size (AvMultitrackType).
  private enum Tracks: UInt8 {
    case one = 0
    case many = 1
    case manyCodecs = 2
  }

  /// - Returns: none for anything but an enhanced audio tag, and only the parts that can be parsed.
  package static func parts(of tag: FLVTags.Tag, in file: InputFile) -> [NamedFLVAudio] {
    guard tag.kind & 0x3F == 8, tag.isNamed else { return [] }
    var fields = Fields(tag, file)
    guard var type = fields.byte().map({ $0 & 0xF }) else { return [] }
    // Each modifier (ModEx) has a one-byte size or, after 255, two more bytes, and then the next
    // type.
    while type == modifier {
      guard var length = fields.number(1) else { return [] }
      if length == 255 {
        guard let long = fields.number(2) else { return [] }
        length = long
      }
      fields.skip(length + 1)
      guard let next = fields.byte() else { return [] }
      type = next & 0xF
    }
    guard type == multitrack else {
      guard let content = Content(rawValue: type), let name = fields.name() else { return [] }
      return [NamedFLVAudio(content: content, track: 0, name: name, payload: fields.rest)]
    }
    guard let first = fields.byte(), let tracks = Tracks(rawValue: first >> 4),
      let content = Content(rawValue: first & 0xF)
    else { return [] }
    return parts(tracks, content, &fields)
  }

  private static func parts(
    _ tracks: Tracks, _ content: Content, _ fields: inout Fields
  ) -> [NamedFLVAudio] {
    var parts: [NamedFLVAudio] = []
    var name = tracks == .manyCodecs ? nil : fields.name()
    repeat {
      if tracks == .manyCodecs { name = fields.name() }
      guard let name, let track = fields.byte() else { break }
      var part = NamedFLVAudio(content: content, track: track, name: name, payload: fields.rest)
      if tracks != .one {
        guard let size = fields.number(3), size <= fields.rest.upperBound - fields.rest.lowerBound
        else { break }
        part.payload = fields.rest.lowerBound..<fields.rest.lowerBound + size
        fields.skip(size)
      }
      parts.append(part)
    } while tracks != .one && !fields.rest.isEmpty
    return parts
  }

  /// The body of a tag, read from its beginning.
  private struct Fields {
    private let tag: FLVTags.Tag
    private let file: InputFile
    private(set) var rest: Range<Int64>

    init(_ tag: FLVTags.Tag, _ file: InputFile) {
      self.tag = tag
      self.file = file
      rest = tag.body
    }

    mutating func skip(_ count: Int64) {
      rest = min(rest.upperBound, rest.lowerBound + count)..<rest.upperBound
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard rest.upperBound - rest.lowerBound >= count else { return nil }
      let place = Int(rest.lowerBound - tag.body.lowerBound)
      // Bytes beyond the head are read from the file; few tags need them.
      let bytes =
        place + count <= tag.head.count
        ? tag.head.dropFirst(place).prefix(count) : file.bytes(in: rest, atMost: count)[...]
      skip(Int64(count))
      return bytes.count == count ? bytes : nil
    }

    mutating func byte() -> UInt8? { take(1)?.first }

    mutating func number(_ count: Int) -> Int64? { take(count).map { FLVTags.number($0) } }

    mutating func name() -> String? {
      take(4).map { bytes in
        String(
          decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
      }
    }
  }
}
