extension AudioFrameLength {
  /// Whether every packet of a codec states its number of samples and rate.
  package static func isStated(codec: String) -> Bool {
    ["ac3", "eac3", "mp3", "opus"].contains(codec)
  }

  /// Whether frames of a codec state their size in bytes.
  package static func statesBytes(codec: String) -> Bool {
    ["mp1", "mp2", "mp3", "ac3", "eac3", "dts", "amr_nb", "amr_wb", "mlp", "truehd"].contains(codec)
  }

  /// The samples that a packet decodes to according to its header; `nil` where not stated.
  package static func stated(codec: String, _ packet: [UInt8]) -> (samples: Int, rate: Int)? {
    guard isStated(codec: codec),
      case .samples(let count) = samples(codec: codec, packet, frameSize: 0),
      let rate = codec == "opus" ? 48_000 : rate(codec, packet)
    else { return nil }
    return (count, rate)
  }

  /// The rate in the header of a frame (ETSI TS 102 366, 4.3.1 and E.2.3.1.3; ISO 11172-3, 2.4.2.3).
  private static func rate(_ codec: String, _ packet: [UInt8]) -> Int? {
    if codec == "mp3" { return MPEGAudioHeader(packet)?.sampleRate }
    guard packet.count > 4 else { return nil }
    let code = Int(packet[4] >> 6)
    if code < 3 { return [48_000, 44_100, 32_000][code] }
    let half = Int(packet[4] >> 4 & 3)
    return codec == "eac3" && half < 3 ? [24_000, 22_050, 16_000][half] : nil
  }
}
