/// How many samples a packet of sound decodes to, read from the packet itself.
enum AudioFrameLength {
  /// - Parameters:
  ///   - frameSize: the codec's constant frame size, where it has one; zero else.
  /// - Returns: `nil` when the packet is no sound that a decoder would take, or the codec does not
  ///   tell.
  static func samples(
    codec: String, _ packet: UnsafeRawBufferPointer, frameSize: Int
  ) -> Answer {
    switch codec {
    case "opus": return opus(packet)
    case "mp3", "mp2", "mp1": return mpeg(packet)
    case "flac": return flac(packet)
    default: return frameSize > 0 ? .samples(frameSize) : .unknown
    }
  }

  enum Answer: Hashable {
    case samples(Int)
    /// The container must tell.
    case unknown
    /// No decoder makes sound of this packet.
    case nothing
  }

  /// RFC 6716, 3.1 and 3.2: the configuration gives a frame's length, the code their number.
  ///
  /// In samples at 48 kHz.
  private static func opus(_ packet: UnsafeRawBufferPointer) -> Answer {
    guard let toc = packet.first else { return .nothing }
    let configuration = Int(toc >> 3)
    let frame =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration % 4]
      case 12..<16: configuration % 2 == 0 ? 480 : 960
      default: [120, 240, 480, 960][configuration % 4]
      }
    switch toc & 3 {
    case 0: return .samples(frame)
    case 1, 2: return .samples(frame * 2)
    default:
      guard packet.count > 1 else { return .nothing }
      let count = Int(packet[1] & 0x3F)
      return count > 0 && frame * count <= 5760 ? .samples(frame * count) : .nothing
    }
  }

  /// ISO 11172-3, 2.4.1.3: a packet is a frame with a header, all of it there.
  private static func mpeg(_ packet: UnsafeRawBufferPointer) -> Answer {
    guard let header = MPEGAudioHeader(packet) else { return .nothing }
    if let byteCount = header.byteCount, packet.count < byteCount { return .nothing }
    return .samples(header.sampleCount)
  }

  /// RFC 9639, 9.1.1: the block size in the frame header.
  private static func flac(_ packet: UnsafeRawBufferPointer) -> Answer {
    guard packet.count > 5, packet[0] == 0xFF, packet[1] & 0xFC == 0xF8 else { return .nothing }
    let code = Int(packet[2] >> 4)
    switch code {
    case 1: return .samples(192)
    case 2...5: return .samples(576 << (code - 2))
    case 8...15: return .samples(256 << (code - 8))
    case 6, 7:
      // The number of the frame or sample comes first, coded like UTF-8 (9.1.5).
      let length = max(1, (~packet[4]).leadingZeroBitCount)
      let index = 4 + length
      guard length <= 7, packet.count > index + 1 else { return .nothing }
      if code == 6 { return .samples(Int(packet[index]) + 1) }
      return .samples((Int(packet[index]) << 8 | Int(packet[index + 1])) + 1)
    default: return .nothing
    }
  }
}

/// The four bytes before every frame of MPEG audio (ISO 11172-3, 2.4.2.3; ISO 13818-3 for the lower
/// rates).
struct MPEGAudioHeader {
  let sampleCount: Int
  let sampleRate: Int
  /// Bytes of the whole frame; `nil` for free format.
  let byteCount: Int?

  private static let rates = [44100, 48000, 32000]
  private static let bitRates: [[Int]] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  init?(_ packet: UnsafeRawBufferPointer) {
    guard packet.count >= 4, packet[0] == 0xFF, packet[1] & 0xE0 == 0xE0 else { return nil }
    let version = packet[1] >> 3 & 3
    let layer = 4 - Int(packet[1] >> 1 & 3)
    let rateIndex = Int(packet[2] >> 2 & 3)
    let bitRateIndex = Int(packet[2] >> 4)
    guard version != 1, layer < 4, rateIndex < 3, bitRateIndex < 15 else { return nil }
    let isMPEG1 = version == 3
    sampleRate = Self.rates[rateIndex] >> (isMPEG1 ? 0 : version == 2 ? 1 : 2)
    sampleCount = layer == 1 ? 384 : layer == 3 && !isMPEG1 ? 576 : 1152
    guard bitRateIndex > 0 else {
      byteCount = nil
      return
    }
    let table = isMPEG1 ? layer - 1 : layer == 1 ? 3 : 4
    let bitRate = Self.bitRates[table][bitRateIndex - 1] * 1000
    let padding = Int(packet[2] >> 1 & 1)
    byteCount =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : sampleCount / 8 * bitRate / sampleRate + padding
  }
}
