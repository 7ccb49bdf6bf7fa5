package import Bitstreams
package import MediaFacts
package import MediaFiles

/// The pictures of an FLV whose codec FFmpeg does not support in FLV, read natively.
///
/// Newer codecs than Flash's are signaled in two ways: by unofficial codec numbers that some
/// networks use (12 is HEVC, 13 AV1, 14 VVC), laid out like H.264; or by enhanced RTMP, which sets
/// the highest bit of the first byte and names the codec by a FourCC.
package struct FLVPictures {
  /// FFmpeg's name.
  package private(set) var codec: Codec
  package private(set) var codecTag: String?
  /// The sequence header: a configuration as in ISO 14496-15 or AV1 in ISOBMFF; empty without one.
  package private(set) var configuration: [UInt8] = []
  /// The timestamps of coded frames in file order, in milliseconds.
  package private(set) var stamps: [PacketStamp] = []
  /// The byte range of each frame.
  package private(set) var places: [Range<Int64>] = []
  /// The beginning of the first keyframe.
  package private(set) var firstKeyframe: [UInt8] = []

  /// - Parameter isKnown: whether FFmpeg reads a codec in this container.
  /// - Returns: `nil` for anything but an FLV whose pictures use such a codec.
  package init?(_ file: InputFile, isKnown: (Codec) -> Bool) {
    var tags = FLVTags(file)
    guard let first = tags?.nextPictures(), let name = first.name, !isKnown(name.codec) else {
      return nil
    }
    codec = name.codec
    codecTag = name.tag
    var tag: FLVTags.Pictures? = first
    while let pictures = tag, stamps.count < Self.most {
      if pictures.name?.codec == codec { add(pictures, file) }
      tag = tags?.nextPictures()
    }
  }

  /// The FourCC of the first pictures, where they have one.
  package static func tag(in file: InputFile) -> String? {
    var tags = FLVTags(file)
    return tags?.nextPictures()?.name?.tag
  }

  /// More frames than two days at 50 fps.
  private static let most = 10_000_000

  private mutating func add(_ pictures: FLVTags.Pictures, _ file: InputFile) {
    switch pictures.content {
    case .configuration:
      // A second one within the stream repeats the first, or signals a change.
      if configuration.isEmpty { configuration = file.bytes(in: pictures.payload, atMost: 1 << 16) }
    case .frame(let offset):
      guard !pictures.payload.isEmpty else { return }
      var stamp = PacketStamp(pts: pictures.time + offset, dts: pictures.time, duration: 0)
      stamp.isKey = pictures.isKey
      stamp.byteOffset = pictures.payload.lowerBound
      stamp.byteCount = Int(pictures.payload.count)
      if pictures.isKey {
        let framing = Framing(codec: codec, configuration: configuration)
        let start = file.bytes(in: pictures.payload, atMost: 4096)
        stamp.access = RandomAccess.classify(codec: codec, start[...], framing: framing)
        if firstKeyframe.isEmpty { firstKeyframe = start }
      }
      stamp.isHidden = firstKeyframe.isEmpty
      stamps.append(stamp)
      places.append(pictures.payload)
    case .nothing: break
    }
  }

  /// The video header from the sequence header, else from the first keyframe.
  package var header: VideoHeader? {
    let framing = Framing(codec: codec, configuration: configuration)
    let configured = VideoHeader(codec: codec, configuration: configuration)
    if configured?.width != nil { return configured }
    return VideoHeader(codec: codec, firstSample: firstKeyframe[...], framing: framing)
      ?? configured
  }
}
