/// The four-byte header of every MPEG audio frame (ISO 11172-3, 2.4.2.3; ISO 13818-3 for the lower rates).
package struct MPEGAudioHeader: Hashable {
  /// 1, 2 or 3.
  package let layer: Int
  package let sampleCount: Int
  package let sampleRate: Int
  package let channels: Int
  /// Size in bytes of the whole frame; `nil` for free format.
  package let byteCount: Int?
  /// Bits per second; `nil` for free format.
  package let bitRate: Int?
  private let isMPEG1: Bool

  private static let rates = [44100, 48000, 32000]
  private static let bitRates: [[Int]] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  package init?(_ packet: some Collection<UInt8>) {
    // Not an array: a search calls this at every byte.
    var bytes = packet.makeIterator()
    guard bytes.next() == 0xFF, let kind = bytes.next(), kind & 0xE0 == 0xE0,
      let rates = bytes.next(), let mode = bytes.next()
    else { return nil }
    let version = kind >> 3 & 3
    layer = 4 - Int(kind >> 1 & 3)
    let rateIndex = Int(rates >> 2 & 3)
    let bitRateIndex = Int(rates >> 4)
    guard version != 1, layer < 4, rateIndex < 3, bitRateIndex < 15 else { return nil }
    isMPEG1 = version == 3
    sampleRate = Self.rates[rateIndex] >> (isMPEG1 ? 0 : version == 2 ? 1 : 2)
    sampleCount = layer == 1 ? 384 : layer == 3 && !isMPEG1 ? 576 : 1152
    channels = mode >> 6 == 3 ? 1 : 2
    guard bitRateIndex > 0 else {
      (byteCount, bitRate) = (nil, nil)
      return
    }
    let table = isMPEG1 ? layer - 1 : layer == 1 ? 3 : 4
    let bitRate = Self.bitRates[table][bitRateIndex - 1] * 1000
    self.bitRate = bitRate
    let padding = Int(rates >> 1 & 1)
    byteCount =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : sampleCount / 8 * bitRate / sampleRate + padding
  }

  /// The size in bytes of layer III side information, between header and audio data (ISO 11172-3, 2.4.1.7).
  package var sideInformationByteCount: Int {
    isMPEG1 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
  }

  /// Bytes before the frame at the end of a packet: parsers output stray bytes, and tags between frames, with
  /// the frame after them.
  package static func lead(ofPacket packet: UnsafeRawBufferPointer) -> Int {
    guard packet.count > 4, Self(packet) == nil else { return 0 }
    for start in 1..<packet.count - 4 where packet[start] == 0xFF {
      let rest = UnsafeRawBufferPointer(rebasing: packet[start...])
      if let count = Self(rest)?.byteCount, count == rest.count { return start }
    }
    return 0
  }
}
