package import Bitstreams
package import MediaFiles

/// The sound of an FLV whose codec has a name of four characters (Enhanced RTMP v2, ExAudioTagHeader), read
/// natively where FFmpeg does not know it there.
package struct FLVSound {
  /// FFmpeg's name; `nil` for characters that are not known here.
  package private(set) var codec: String?
  package private(set) var codecTag: String
  /// AudioSpecificConfig, OpusHead or STREAMINFO; empty without one.
  package private(set) var configuration: [UInt8] = []
  /// Coded frames in the order of the file, in milliseconds.
  package private(set) var stamps: [PacketStamp] = []
  private var firstFrame: [UInt8] = []

  private static let codecs = [
    "Opus": "opus", "fLaC": "flac", "mp4a": "aac", ".mp3": "mp3", "ac-3": "ac3", "ec-3": "eac3",
  ]
  /// More packets than two days of Opus have at 2.5 ms.
  private static let most = 70_000_000
  /// Headers of frames, and a whole packet of what has several frames.
  private static let prefix = 8192

  /// - Returns: `nil` for anything but an FLV with such sound.
  package init?(_ file: InputFile) {
    guard var tags = FLVTags(file) else { return nil }
    var found: FLVSound?
    while let tag = tags.next() {
      guard tag.kind & 0x3F == 8, let first = tag.head.first else { continue }
      // SoundFormat 9 says that the codec has a name.
      guard first >> 4 == 9 else {
        if found == nil { return nil }
        continue
      }
      guard let header = Self.header(tag.head) else { continue }
      if found == nil { found = FLVSound(named: header.name) }
      guard found?.codecTag == header.name, found.map({ $0.stamps.count < Self.most }) == true
      else { continue }
      let start = tag.body.lowerBound + Int64(header.length)
      guard start < tag.body.upperBound else { continue }
      found?.add(header.type, start..<tag.body.upperBound, at: tag.time, file)
    }
    guard let found else { return nil }
    self = found
  }

  private init(named name: String) {
    codecTag = name
    codec = Self.codecs[name]
  }

  /// AudioPacketType and FourCC, and how many bytes stand before what they describe.
  private static func header(
    _ bytes: ArraySlice<UInt8>
  ) -> (type: UInt8, name: String, length: Int)? {
    guard let first = bytes.first else { return nil }
    var type = first & 0xF
    var fields = bytes.dropFirst()
    // Each modifier (ModEx) has a size of one byte or, behind 255, two more, and then the next type.
    while type == 7 {
      guard let size = fields.first else { return nil }
      var length = Int(size) + 1
      fields = fields.dropFirst()
      if length == 256 {
        guard fields.count >= 2 else { return nil }
        length = Int(FLVTags.number(fields.prefix(2))) + 1
        fields = fields.dropFirst(2)
      }
      fields = fields.dropFirst(length)
      guard let next = fields.first else { return nil }
      type = next & 0xF
      fields = fields.dropFirst()
    }
    // Of several tracks in a tag the first is not told apart.
    guard type != 5, fields.count >= 4 else { return nil }
    let name = fields.prefix(4).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
    return (
      type, String(decoding: name, as: UTF8.self), fields.startIndex + 4 - bytes.startIndex
    )
  }

  private mutating func add(
    _ type: UInt8, _ payload: Range<Int64>, at time: Int64, _ file: InputFile
  ) {
    switch type {
    case 0:
      if configuration.isEmpty { configuration = file.bytes(in: payload, atMost: 1 << 16) }
    case 1:
      let start = file.bytes(in: payload, atMost: Self.prefix)
      if stamps.isEmpty { firstFrame = start }
      var stamp = PacketStamp(pts: time, dts: time, duration: 0)
      stamp.byteOffset = payload.lowerBound
      stamp.byteCount = Int(payload.count)
      if let codec,
        case .samples(let count) = AudioFrameLength.samples(
          codec: codec, start, frameSize: header?.samplesPerPacket ?? 0)
      {
        stamp.sampleCount = count
      }
      if stamps.isEmpty { stamp.skippedAtStart = header?.preSkip ?? 0 }
      stamps.append(stamp)
    default: break
    }
  }

  /// What the sequence header, else the first frame, says of the sound.
  package var header: AudioHeader? {
    guard let codec else { return nil }
    if codec == "ac3" || codec == "eac3" { return AudioHeader(dolbyFrame: firstFrame) }
    return AudioHeader(codec: codec, configuration: codec == "mp3" ? firstFrame : configuration)
  }
}
