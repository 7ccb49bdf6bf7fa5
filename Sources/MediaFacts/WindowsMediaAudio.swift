/// Windows Media Audio 1 and 2.
package enum WindowsMediaAudio {
  /// Whether frames may begin in one packet and end in the next, according to the bit reservoir
  /// flag in the configuration (libavcodec/wma.c).
  package static func sharesFrames(_ codec: Codec, configuration: [UInt8]) -> Bool {
    guard let flags = [Codec.wmaV1: 2, .wmaV2: 4][codec] else { return false }
    return configuration.count >= flags + 2 && configuration[flags] & 2 != 0
  }

  /// How many frames a packet that shares frames decodes to: as many as end in it.
  ///
  /// In the first packet, one of these lacks its beginning, and one primes the overlap of the next.
  package static func frameCount(firstByte: UInt8, isFirst: Bool) -> Int {
    max(0, Int(firstByte & 15) - (isFirst ? 2 : 0))
  }

  /// The frame length in samples, from the rate; `nil` for codecs other than these, as FFmpeg names
  /// them.
  ///
  /// ASF stores several frames per packet.
  package static func frameLength(of codec: Codec, sampleRate: Int?) -> Int? {
    guard codec.isOne(of: .wmaV1, .wmaV2) else { return nil }
    let rate = sampleRate ?? 48_000
    if rate <= 16_000 { return 512 }
    return rate <= 22_050 || rate <= 32_000 && codec == .wmaV1 ? 1024 : 2048
  }
}
