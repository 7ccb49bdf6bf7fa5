package import MediaFacts

/// Classifies keyframes by their bitstream: a container's keyframe flag is not enough.
package enum RandomAccess {
  /// The kind of every keyframe of a codec; `nil` where the bitstream must be read.
  package static func kindOfEveryKeyframe(codec: Codec) -> RandomAccessKind? {
    if codec.hasIndependentKeyframes { return .intra }
    return classified.contains(codec) ? nil : .unknown
  }

  /// Whether the container's keyframe flag is sufficient, if no picture of the track is reordered: the
  /// bitstream is unknown here, but no picture after the keyframe can be shown before it.
  ///
  /// - Parameter reorders: false where headers rule out B pictures.
  package static func trustsFlags(codec: Codec, reorders: Bool) -> Bool {
    kindOfEveryKeyframe(codec: codec) == .unknown && (!reorders || !codec.mayReorderUnread)
  }

  private static let classified: Set<Codec> = [
    .h264, .hevc, .mpeg2Video, .mpeg1Video, .mpeg4, .vp8, .vp9, .av1, .theora, .h263, .flv1, .wmv1,
    .wmv2, .msmpeg4v2, .msmpeg4v3,
  ]

  /// - Parameter bytes: a sample or its beginning; 64 KiB are always enough.
  package static func classify(
    codec: Codec, _ bytes: ArraySlice<UInt8>, framing: Framing
  ) -> RandomAccessKind {
    if codec.hasIndependentKeyframes { return .intra }
    switch codec {
    case .h264: return h264(bytes, framing)
    case .hevc: return hevc(bytes, framing)
    case .mpeg2Video, .mpeg1Video: return mpeg2(bytes)
    case .mpeg4: return mpeg4(bytes)
    case .vp8: return bytes.first.map { $0 & 1 == 0 ? .intra : .flaggedOnly } ?? .unknown
    case .vp9: return vp9(bytes)
    case .av1: return av1(bytes)
    case .theora: return theora(bytes)
    case .h263, .flv1, .wmv1, .wmv2, .msmpeg4v2, .msmpeg4v3:
      return h263(codec: codec, bytes)
    default: return .unknown
    }
  }

  /// True for pictures that a decoder skips when it starts at the keyframe before them: HEVC RASL
  /// (nal_unit_type 8 and 9, ITU-T H.265, 7.4.2.2), and the B pictures of MPEG-2 and MPEG-4 that follow it
  /// before another reference (ISO 13818-2, 6.3.8; ISO 14496-2, 6.3.4).
  package static func isSkippedLeading(
    codec: Codec, _ bytes: ArraySlice<UInt8>, framing: Framing
  ) -> Bool {
    if codec.isOne(of: .mpeg1Video, .mpeg2Video, .mpeg4) {
      return MPEGPictureType(firstIn: bytes, isPart2: codec == .mpeg4) == .bidirectional
    }
    guard codec == .hevc else { return false }
    for unit in NALUnits(bytes: bytes, framing: framing) {
      guard let type = hevcType(unit), type < 32 else { continue }
      return type == 8 || type == 9
    }
    return false
  }

  private static func h264(_ bytes: ArraySlice<UInt8>, _ framing: Framing) -> RandomAccessKind {
    var recovery: Int?
    var isIntra: Bool?
    for unit in NALUnits(bytes: bytes, framing: framing) {
      guard let first = unit.first else { continue }
      switch first & 0x1F {
      case 5: return .idr
      case 6: recovery = recoveryFrames(inSEI: unit.dropFirst(), isSigned: false) ?? recovery
      case 1, 2:
        var reader = BitReader(NALEscaping.unescaped(unit.dropFirst().prefix(16)))
        guard let block = reader.exponentialGolomb(), let type = reader.exponentialGolomb() else {
          continue
        }
        // Slices of a second field may refer to the first field.
        if block == 0, let isIntra { return h264(isIntra: isIntra, recovery) }
        // slice_type 2, 4, 7, 9: I and SI (table 7-6).
        isIntra = (isIntra ?? true) && [2, 4, 7, 9].contains(type)
      default: continue
      }
    }
    return isIntra.map { h264(isIntra: $0, recovery) } ?? .unknown
  }

  /// D.2.8: with a count of 0, every picture from here on is correct.
  ///
  /// A later recovery with predicted slices is a gradual refresh, at which no decoder starts cleanly.
  ///
  /// Where encoders write no recovery point, only the container signals the I picture of an open GOP.
  private static func h264(isIntra: Bool, _ recovery: Int?) -> RandomAccessKind {
    isIntra || recovery == 0 ? .recoveryPoint : .flaggedOnly
  }

  /// recovery_frame_cnt of an SEI unit's payload (payloadType 6; ITU-T H.264, D.1.8), or
  /// recovery_poc_cnt (H.265, D.2.8), which has a sign.
  private static func recoveryFrames(inSEI payload: ArraySlice<UInt8>, isSigned: Bool) -> Int? {
    guard let message = SEIMessage.payload(ofType: 6, in: payload) else { return nil }
    var reader = BitReader(message)
    return isSigned
      ? reader.signedExponentialGolomb().map { Int($0) }
      : reader.exponentialGolomb().map { Int($0) }
  }

  /// nal_unit_type of ITU-T H.265, table 7-1; units of enhancement layers are skipped.
  private static func hevc(_ bytes: ArraySlice<UInt8>, _ framing: Framing) -> RandomAccessKind {
    var recovery: Int?
    for unit in NALUnits(bytes: bytes, framing: framing) {
      guard let type = hevcType(unit) else { continue }
      switch type {
      case 16...18: return .bla
      case 19, 20: return .idr
      case 21: return .cra
      case 39: recovery = recoveryFrames(inSEI: unit.dropFirst(2), isSigned: true) ?? recovery
      case 0...31: return recovery.map { $0 <= 0 } == true ? .recoveryPoint : .flaggedOnly
      default: continue
      }
    }
    return .unknown
  }

  private static func hevcType(_ unit: ArraySlice<UInt8>) -> UInt8? {
    guard unit.count >= 2 else { return nil }
    let (first, second) = (unit[unit.startIndex], unit[unit.startIndex + 1])
    return first & 1 == 0 && second >> 3 == 0 ? first >> 1 & 0x3F : nil
  }

  /// ISO 13818-2, 6.2: group_of_pictures_header (B8) with closed_gop, then a picture header (00).
  private static func mpeg2(_ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    var isClosed = false
    for unit in NALUnits(bytes: bytes, framing: .annexB) {
      guard let code = unit.first else { continue }
      if code == 0xB8 {
        var reader = BitReader(unit.dropFirst())
        reader.skip(25)
        isClosed = reader.flag() ?? false
      } else if code == 0 {
        guard let type = MPEGPictureType(picture: unit, isPart2: false) else { return .unknown }
        guard type == .intra else { return .flaggedOnly }
        return isClosed ? .intra : .recoveryPoint
      }
    }
    return .unknown
  }

  private static func mpeg4(_ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    MPEGPictureType(firstIn: bytes, isPart2: true).map { $0 == .intra ? .intra : .flaggedOnly }
      ?? .unknown
  }

  /// VP9 bitstream, 6.2: frame_marker, profile, show_existing_frame, frame_type.
  private static func vp9(_ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    var reader = BitReader(bytes.prefix(2))
    guard reader.read(2) == 2, let low = reader.read(1), let high = reader.read(1) else {
      return .unknown
    }
    if high << 1 | low == 3 { reader.skip(1) }
    guard let showsExisting = reader.flag() else { return .unknown }
    if showsExisting { return .flaggedOnly }
    return reader.read(1) == 0 ? .intra : .flaggedOnly
  }

  /// AV1 bitstream, 5.3–5.9: the first frame header of the temporal unit.
  private static func av1(_ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let header = bytes[position]
      let type = header >> 3 & 0xF
      var next = position + (header & 4 != 0 ? 2 : 1)
      var size = bytes.endIndex - next
      if header & 2 != 0 {
        guard let (value, length) = leb128(bytes, at: next) else { return .unknown }
        size = value
        next += length
      }
      guard next <= bytes.endIndex else { return .unknown }
      if type == 1, isReducedStillPicture(bytes[next...]) { return .intra }
      if type == 3 || type == 6 {
        var reader = BitReader(bytes[next...].prefix(2))
        guard let showsExisting = reader.flag(), !showsExisting, let frameType = reader.read(2)
        else { return .flaggedOnly }
        let isShown = reader.flag() ?? false
        return frameType == 0 && isShown ? .intra : .flaggedOnly
      }
      guard size <= bytes.endIndex - next else { return .unknown }
      position = next + size
    }
    return .unknown
  }

  /// Such a sequence has one frame, a key frame, whose header does not state it (5.5.1, 5.9.2).
  private static func isReducedStillPicture(_ header: ArraySlice<UInt8>) -> Bool {
    header.first.map { $0 & 0x08 != 0 } ?? false
  }

  /// Theora, 7.1: a data packet begins with 0, then 0 for an intra frame.
  private static func theora(_ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    switch bytes.first.map({ $0 >> 6 }) {
    case 0: .intra
    case 1: .flaggedOnly
    default: .unknown
    }
  }

  private static func leb128(_ bytes: ArraySlice<UInt8>, at start: Int) -> (Int, Int)? {
    var value = 0
    for index in 0..<5 {
      guard start + index < bytes.endIndex else { return nil }
      let byte = bytes[start + index]
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}

extension RandomAccess {
  /// Classifies a picture of H.263 or of a codec derived from it: an INTRA picture needs nothing
  /// before it, and neither does what follows it.
  static func h263(codec: Codec, _ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    var reader = BitReader(bytes)
    let isIntra: Bool? =
      switch codec {
      case .h263: itu(&reader)
      case .flv1: sorenson(&reader)
      case .wmv2: reader.flag().map { !$0 }
      // The header begins with two bits of picture type; only version 1 has a start code.
      default: reader.read(2).map { $0 == 0 }
      }
    return isIntra.map { $0 ? .intra : .flaggedOnly } ?? .unknown
  }

  /// ITU-T H.263, 5.1: PSC, TR, PTYPE, and PLUSPTYPE where the source format is 7.
  private static func itu(_ reader: inout BitReader) -> Bool? {
    guard reader.read(22) == 0b10_0000, reader.skip(8 + 5), let format = reader.read(3) else {
      return nil
    }
    guard format == 7 else { return reader.flag().map { !$0 } }
    guard let extends = reader.read(3), extends < 2, reader.skip(extends == 1 ? 18 : 0) else {
      return nil
    }
    return reader.read(3).map { $0 == 0 }
  }

  /// Whether a picture of H.263 has PLUSPTYPE (ITU-T H.263, 5.1.4), as all of H.263+ do.
  package static func isExtendedH263(_ bytes: ArraySlice<UInt8>) -> Bool {
    var reader = BitReader(bytes)
    return reader.read(22) == 0b10_0000 && reader.skip(8 + 5) && reader.read(3) == 7
  }

  /// SWF File Format Specification 19, "Sorenson H.263 Bitstream Format".
  private static func sorenson(_ reader: inout BitReader) -> Bool? {
    guard reader.read(17) == 1, reader.skip(5 + 8), let size = reader.read(3),
      reader.skip(size == 0 ? 16 : size == 1 ? 32 : 0)
    else { return nil }
    return reader.read(2).map { $0 == 0 }
  }
}
