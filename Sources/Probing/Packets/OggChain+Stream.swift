extension OggChain.Stream {
  /// `nil` for a stream that describes others (Skeleton).
  package init?(_ packet: [UInt8]) {
    func little(_ offset: Int, _ count: Int) -> Int? {
      guard packet.count >= offset + count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(packet[offset + $1]) << (8 * $1) }
    }
    let names: [(mark: [UInt8], codec: String)] = [
      (Array("\u{1}vorbis".utf8), "vorbis"), (Array("OpusHead".utf8), "opus"),
      (Array("\u{7F}FLAC".utf8), "flac"), ([0x80] + Array("theora".utf8), "theora"),
      (Array("Speex   ".utf8), "speex"),
    ]
    if packet.starts(with: "fishead".utf8) { return nil }
    codec = names.first { packet.starts(with: $0.mark) }?.codec ?? "unknown"
    switch codec {
    case "vorbis": (rate, channels) = (little(12, 4), little(11, 1))
    case "opus": (rate, channels) = (48_000, little(9, 1))
    case "flac":
      guard packet.count > 31 else { break }
      let fields = Int(packet[27]) << 16 | Int(packet[28]) << 8 | Int(packet[29])
      (rate, channels) = (fields >> 4, (fields >> 1 & 7) + 1)
    case "speex": (rate, channels) = (little(36, 4), little(48, 4))
    default: break
    }
  }
}
