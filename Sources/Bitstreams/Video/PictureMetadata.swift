package import MediaFacts

/// The metadata in an H.264 or HEVC access unit or AV1 temporal unit that an encoder cannot recreate: a
/// re-encoded picture keeps it.
///
/// - Dolby Vision: one unit of type 62 (RPU) after the slices, for every picture (Dolby Vision bitstreams
///   within the ISO base media file format, 2.1). Without it, a player of a file that signals Dolby Vision
///   shows wrong colors.
/// - Registered user data (SEI payload type 4, ITU-T H.264, D.1.6; H.265, D.2.6): captions (ANSI/SCTE 128),
///   active format descriptions and HDR10+; and unregistered user data (type 5), except an encoder's
///   settings.
/// - The equivalent in AV1: ITU-T T.35 metadata (AV1 bitstream, 6.7.2).
package struct PictureMetadata {
  private let syntax: Syntax
  private let framing: Framing
  /// Units before the slices, and after them.
  private var before: [[UInt8]] = []
  private var behind: [[UInt8]] = []
  /// Whether the picture needs a Dolby Vision enhancement layer, which an encoder does not produce.
  package private(set) var hasEnhancement = false

  private init(of packet: [UInt8], _ syntax: Syntax, _ framing: Framing) {
    self.syntax = syntax
    self.framing = framing
    guard syntax != .av1 else {
      before = OpenBitstreamUnits(bytes: packet[...]).filter(\.isRegisteredMetadata)
        .map { Array($0.bytes) }
      return
    }
    for unit in NALUnits(bytes: packet[...], framing: framing) where unit.count > 2 {
      switch syntax.kind(of: unit) {
      case .messages: if let kept = syntax.messages(in: unit) { before.append(kept) }
      case .messagesBehind: if let kept = syntax.messages(in: unit) { behind.append(kept) }
      case .dolbyMetadata: behind.append(Array(unit))
      case .dolbyEnhancement: hasEnhancement = true
      case .slice, .other: continue
      }
    }
  }

  /// Captions as registered user data (ANSI/SCTE 128-1, 8.1); `nil` for codecs other than H.264 and HEVC.
  ///
  /// - Parameter triplets: cc_data, of which a message holds 31 at most.
  package init?(captions triplets: [UInt8], codec: Codec, framing: Framing) {
    guard let syntax = Syntax(rawValue: codec.rawValue), syntax != .av1 else { return nil }
    (self.syntax, self.framing) = (syntax, framing)
    let count = min(31, triplets.count / 3)
    guard count > 0 else { return nil }
    let content =
      [0xB5, 0, 0x31] + Array("GA94".utf8) + [3, 0x40 | UInt8(count), 0xFF]
      + triplets.prefix(3 * count) + [0xFF]
    let header: [UInt8] = syntax == .h264 ? [6] : [39 << 1, 1]
    before = [header + NALEscaping.escaped([4, UInt8(content.count)] + content + [0x80])]
  }

  /// The units of another picture at the same time, with these inserted in their places.
  package func added(to picture: [UInt8]) -> [UInt8] {
    guard !before.isEmpty || !behind.isEmpty else { return picture }
    guard syntax != .av1 else {
      // The last frame in the temporal unit is the one that is shown.
      let frames = OpenBitstreamUnits(bytes: picture[...])
        .filter { OpenBitstreamUnits.Unit.frames.contains($0.type) }
      guard let place = frames.last?.bytes.startIndex else { return picture }
      return Array(picture[..<place] + before.joined() + picture[place...])
    }
    var units = NALUnits(bytes: picture[...], framing: framing).map { Array($0) }
    let slice = units.firstIndex { syntax.kind(of: $0[...]) == .slice } ?? units.endIndex
    units.insert(contentsOf: before, at: slice)
    return framing.pack(units + behind)
  }

  /// Reads it from the access units of a track.
  package struct Reader {
    private let syntax: Syntax
    private let framing: Framing

    /// `nil` for other codecs.
    package init?(codec: Codec, framing: Framing) {
      guard let syntax = Syntax(rawValue: codec.rawValue) else { return nil }
      self.syntax = syntax
      self.framing = framing
    }

    /// The metadata in an access unit.
    package func metadata(of packet: [UInt8]) -> PictureMetadata {
      PictureMetadata(of: packet, syntax, framing)
    }
  }
}

extension PictureMetadata {
  private enum Kind {
    case slice, messages, messagesBehind, dolbyMetadata, dolbyEnhancement, other
  }

  /// The syntax of units, by FFmpeg's name of the codec.
  private enum Syntax: String {
    case h264, hevc, av1

    private var headerLength: Int { self == .h264 ? 1 : 2 }

    /// - Parameter unit: a unit that is not empty.
    func kind(of unit: ArraySlice<UInt8>) -> Kind {
      switch self {
      case .h264:
        switch unit[unit.startIndex] & 0x1F {
        case 1...5: .slice
        case 6: .messages
        default: .other
        }
      case .hevc:
        switch HEVCSets.type(of: unit) {
        case ..<32: .slice
        case 39: .messages
        case 40: .messagesBehind
        case 62: .dolbyMetadata
        case 63: .dolbyEnhancement
        default: .other
        }
      case .av1: .other
      }
    }

    /// The unit with only the messages that a picture keeps; `nil` where it has none.
    func messages(in unit: ArraySlice<UInt8>) -> [UInt8]? {
      let payload = NALEscaping.unescaped(unit.dropFirst(headerLength))
      let kept = SEIMessage.keeping(in: payload) { type, content in
        type == 4 || type == 5 && !Self.settings.contains { content.starts(with: $0) }
      }
      return kept.map { unit.prefix(headerLength) + NALEscaping.escaped($0) }
    }

    /// The UUIDs of the messages in which x264 and x265 state their settings.
    private static let settings: [[UInt8]] = [
      [
        0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
        0xEF,
      ],
      [
        0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC,
        0x4E,
      ],
    ]
  }
}

extension OpenBitstreamUnits.Unit {
  /// METADATA_TYPE_ITUT_T35 (AV1 bitstream, 6.7.1), with a stated size, so that another unit can follow.
  fileprivate var isRegisteredMetadata: Bool {
    type == Self.metadata && payload.first == 4 && bytes.first.map { $0 & 2 != 0 } == true
  }
}
