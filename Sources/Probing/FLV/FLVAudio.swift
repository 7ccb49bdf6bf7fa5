package import Bitstreams
package import MediaFacts
package import MediaFiles

/// An audio track of an FLV whose codec is named by a FourCC (Enhanced RTMP v2), read natively
/// where FFmpeg does not support it in FLV.
package struct FLVAudio {
  /// FFmpeg's name; `nil` for an unknown FourCC.
  package private(set) var codec: Codec?
  package private(set) var codecTag: String
  /// AudioSpecificConfig, OpusHead or STREAMINFO; empty without one.
  package private(set) var configuration: [UInt8] = []
  /// The timestamps of coded frames in file order, in milliseconds.
  package private(set) var stamps: [PacketStamp] = []
  private var firstFrame: [UInt8] = []

  private static let codecs: [String: Codec] = [
    "Opus": .opus, "fLaC": .flac, "mp4a": .aac, ".mp3": .mp3, "ac-3": .ac3, "ec-3": .eac3,
  ]
  /// More packets than two days of Opus at 2.5 ms.
  private static let most = 70_000_000
  /// Enough for frame headers, and for whole packets in codecs with several frames per packet.
  private static let prefix = 8192

  /// The tracks of such audio, in order of their first packets; none for anything but an FLV that
  /// contains some.
  package static func tracks(in file: InputFile) -> [FLVAudio] {
    guard var tags = FLVTags(file) else { return [] }
    var found: [UInt8: FLVAudio] = [:]
    while let tag = tags.next() {
      for part in NamedFLVAudio.parts(of: tag, in: file) where !part.payload.isEmpty {
        let sound = found[part.track] ?? FLVAudio(named: part.name)
        guard sound.codecTag == part.name, sound.stamps.count < most else { continue }
        found[part.track, default: sound].add(part, at: tag.time, file)
      }
    }
    // Headers that only describe audio in Flash's own formats have no packets.
    return found.values.filter { !$0.stamps.isEmpty }.sorted {
      $0.stamps[0].byteOffset ?? 0 < $1.stamps[0].byteOffset ?? 0
    }
  }

  private init(named name: String) {
    codecTag = name
    codec = Self.codecs[name]
  }

  private mutating func add(_ part: NamedFLVAudio, at time: Int64, _ file: InputFile) {
    let payload = part.payload
    switch part.content {
    case .sequenceStart:
      if configuration.isEmpty { configuration = file.bytes(in: payload, atMost: 1 << 16) }
    case .codedFrames:
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
    case .sequenceEnd, .multichannelConfiguration: break
    }
  }

  /// The audio header from the sequence header, else from the first frame.
  package var header: AudioHeader? {
    guard let codec else { return nil }
    if codec == .ac3 || codec == .eac3 { return AudioHeader(dolbyFrame: firstFrame) }
    return AudioHeader(codec: codec, configuration: codec == .mp3 ? firstFrame : configuration)
  }
}
