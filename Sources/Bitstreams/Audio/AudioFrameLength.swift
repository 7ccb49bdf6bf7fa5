package import MediaFacts

/// How many samples an audio packet decodes to, read from the packet itself.
package enum AudioFrameLength {
  /// - Parameters:
  ///   - frameSize: the codec's constant frame size, where it has one; otherwise zero.
  package static func samples(
    codec: Codec, bytes: UnsafeRawBufferPointer, frameSize: Int
  ) -> Answer {
    // Specialised for these bytes: it is called for every packet of a file.
    samples(codec: codec, bytes, frameSize: frameSize)
  }

  /// - Parameters:
  ///   - frameSize: the codec's constant frame size, where it has one; otherwise zero.
  package static func samples<Bytes: RandomAccessCollection>(
    codec: Codec, _ packet: Bytes, frameSize: Int
  ) -> Answer where Bytes.Element == UInt8, Bytes.Index == Int {
    switch codec {
    case .opus: return opus(packet)
    case .mp3, .mp2, .mp1: return mpeg(packet)
    case .flac: return flac(packet)
    case .aac: return adts(packet, frameSize: frameSize)
    // ETSI TS 102 366, 4.2: six blocks of 256.
    case .ac3 where !hasDolbySyncword(packet), .eac3 where !hasDolbySyncword(packet):
      return .nothing
    case .ac3: return isShortAC3(packet) ? .cutShort : .samples(1536)
    case .alac: return alac(packet) ?? (frameSize > 0 ? .samples(frameSize) : .unknown)
    case .eac3: return enhancedAC3(packet) ?? (frameSize > 0 ? .samples(frameSize) : .unknown)
    case .dts, .amrNB, .amrWB, .mlp, .trueHD:
      if let count = byteCount(codec: codec, packet), packet.count < count { return .cutShort }
      if codec == .dts, let count = coreSamples(packet) { return .samples(count) }
      return frameSize > 0 ? .samples(frameSize) : .unknown
    case .wavPack: return wavPack(packet)
    case .ape: return monkeysAudio(packet)
    case .musepack7: return .samples(MusepackHeader.frameLength)
    case .s302m: return professional(packet)
    case .pcmDVD:
      return DVDSamples(packet)?.samples(inPacketOf: packet.count).map { .samples($0) } ?? .unknown
    // A packet contains as many frames as fit.
    case .wmaV1, .wmaV2: return .unknown
    default: return frameSize > 0 ? .samples(frameSize) : .unknown
    }
  }

  package enum Answer: Hashable {
    case samples(Int)
    /// Only the container may state it.
    case unknown
    /// No decoder produces audio from this packet.
    case nothing
    /// The packet is shorter than its header states: a frame truncated by the end of the file.
    case cutShort
  }

  /// RFC 6716, 3.1 and 3.2: the configuration gives the frame length, the code the number of frames.
  ///
  /// In samples at 48 kHz.
  private static func opus<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
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
      let count = Int(packet[packet.startIndex + 1] & 0x3F)
      return count > 0 && frame * count <= 5760 ? .samples(frame * count) : .nothing
    }
  }

  /// Block_samples in the header of a block ("WavPack 4 & 5 Binary File / Block Format", 2.0).
  ///
  /// A packet may have a block for each channel pair, all of the same length.
  private static func wavPack<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.count >= 32, packet.starts(with: "wvpk".utf8) else { return .unknown }
    let count = (20..<24).reversed().reduce(0) { $0 << 8 | Int(packet[packet.startIndex + $1]) }
    guard count <= mostOfWavPack else { return .unknown }
    return count > 0 ? .samples(count) : .nothing
  }

  /// The number of samples that FFmpeg's demuxer puts before each frame, from the file's header.
  private static func monkeysAudio<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.count >= 8 else { return .unknown }
    let count = (0..<4).reversed().reduce(0) { $0 << 8 | Int(packet[packet.startIndex + $1]) }
    // Its largest frames have 16 times 73,728 samples.
    return count > 0 && count <= 1 << 21 ? .samples(count) : .unknown
  }

  /// SMPTE ST 302, 6.3 and 6.5: a header of 32 bits, with the size, half the channels less one, and the
  /// bits per sample; then samples with four more bits each.
  private static func professional<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.count >= 4 else { return .nothing }
    let head = packet.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let (size, pairs, bits) = (head >> 16, head >> 14 & 3, 16 + 4 * (head >> 4 & 3))
    guard bits <= 24 else { return .nothing }
    guard packet.count >= 4 + size else { return .cutShort }
    return .samples(size * 8 / (2 * (pairs + 1) * (bits + 4)))
  }

  /// The most samples in a block that FFmpeg and the format's library accept.
  private static var mostOfWavPack: Int { 150_000 }

  /// ISO 11172-3, 2.4.1.3: a packet is a complete frame with a header.
  private static func mpeg<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let header = MPEGAudioHeader(packet) else { return .nothing }
    if let byteCount = header.byteCount, packet.count < byteCount { return .cutShort }
    return .samples(header.sampleCount)
  }

  /// ISO 14496-3, 1.A.2.2: a complete frame with a header.
  private static func adts<Bytes: RandomAccessCollection>(
    _ packet: Bytes, frameSize: Int
  ) -> Answer where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.first == 0xFF, let header = ADTSHeader(Array(packet.prefix(16))) else {
      return frameSize > 0 ? .samples(frameSize) : .unknown
    }
    if packet.count < header.frameByteCount { return .cutShort }
    // A frame may hold up to four raw data blocks (1.A.2.2.1), all of the same length.
    return .samples((frameSize > 0 ? frameSize : 1024) * header.blockCount)
  }

  /// ETSI TS 102 366, 4.4.1.1: the syncword of every frame; words may be byte-swapped.
  private static func hasDolbySyncword<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Bool
  where Bytes.Element == UInt8, Bytes.Index == Int {
    packet.starts(with: [0x0B, 0x77]) || packet.starts(with: [0x77, 0x0B])
  }

  /// True where an AC-3 frame has fewer bytes than its header states (ETSI TS 102 366, table 4.13).
  private static func isShortAC3<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Bool
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let start = packet.startIndex
    guard packet.count >= 5, packet[start] == 0x0B, packet[start + 1] == 0x77 else { return false }
    let rates = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]
    let (rate, size) = (Int(packet[start + 4] >> 6), Int(packet[start + 4] & 0x3F))
    guard rate < 3, size / 2 < rates.count else { return false }
    let bitRate = rates[size / 2]
    // Bytes of 1,536 samples at 48, 44.1 and 32 kHz; an odd code has one more word at 44.1 kHz.
    let words = [bitRate * 2, bitRate * 96_000 / 44_100 + size % 2, bitRate * 3][rate]
    return packet.count < 2 * words
  }

  /// Apple Lossless: a short frame, usually the last, states its samples in 32 bits after a flag.
  private static func alac<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer?
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let start = packet.startIndex
    guard packet.count >= 7, packet[start + 2] & 0x10 != 0 else { return nil }
    // Bits 23 to 54: preceded by 3 of tag, 4 of instance, 12 unused, the flag and 3 more.
    let bits = packet[(start + 2)..<(start + 7)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .samples(Int(bits >> 1 & 0xFFFF_FFFF))
  }

  /// RFC 9639, 9.1.1: the block size in the frame header.
  private static func flac<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.count > 5, packet[packet.startIndex + 0] == 0xFF,
      packet[packet.startIndex + 1] & 0xFC == 0xF8
    else { return .nothing }
    let code = Int(packet[packet.startIndex + 2] >> 4)
    switch code {
    case 1: return .samples(192)
    case 2...5: return .samples(576 << (code - 2))
    case 8...15: return .samples(256 << (code - 8))
    case 6, 7:
      // The number of the frame or sample comes first, coded like UTF-8 (9.1.5).
      let length = max(1, (~packet[packet.startIndex + 4]).leadingZeroBitCount)
      let index = 4 + length
      guard length <= 7, packet.count > index + 1 else { return .nothing }
      if code == 6 { return .samples(Int(packet[packet.startIndex + index]) + 1) }
      return .samples(
        (Int(packet[packet.startIndex + index]) << 8 | Int(packet[packet.startIndex + index + 1]))
          + 1)
    default: return .nothing
    }
  }

  /// ETSI TS 102 366, E.1.2: the blocks of every frame of the first independent substream, 256
  /// samples each; dependent ones add channels only.
  private static func enhancedAC3<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Answer?
  where Bytes.Element == UInt8, Bytes.Index == Int {
    var position = packet.startIndex
    var blocks = 0
    while packet.endIndex - position >= 6, packet[position] == 0x0B, packet[position + 1] == 0x77 {
      // Up to 10 it is AC-3, which always has six blocks (E.1.3.1.6).
      guard packet[position + 5] >> 3 > 10 else { return nil }
      let kind = packet[position + 2]
      let size = (Int(kind & 7) << 8 | Int(packet[position + 3])) + 1
      let code = packet[position + 4]
      if kind >> 6 != 1, kind >> 3 & 7 == 0 {
        blocks += code >> 6 == 3 ? 6 : [1, 2, 3, 6][Int(code >> 4 & 3)]
      }
      position += 2 * size
      if position > packet.endIndex { return .cutShort }
    }
    return blocks > 0 ? .samples(256 * blocks) : nil
  }
}

extension AudioFrameLength {
  /// The decoded samples of a frame in a raw stream, where its header states a rate other than the stream's
  /// (ISO 11172-3, 2.4.2.3; ISO 14496-3, 1.A.2.2).
  ///
  /// - Returns: `nil` where the rate is the stream's, and for other codecs.
  package static func atOwnRate(
    codec: Codec, bytes: UnsafeRawBufferPointer, frameSize: Int, streamRate: Int
  ) -> (samples: Int, rate: Int)? {
    switch codec {
    case .mp1, .mp2, .mp3:
      guard let header = MPEGAudioHeader(bytes), header.sampleRate != streamRate else { return nil }
      return (header.sampleCount, header.sampleRate)
    case .aac:
      // With spectral band replication, the stream has twice the rate stated in headers, and frames twice as
      // long.
      guard bytes.first == 0xFF, let header = ADTSHeader(Array(bytes.prefix(16))),
        let rate = header.sampleRate,
        rate * (frameSize > 0 ? frameSize : 1024) != streamRate * 1024
      else { return nil }
      return (header.sampleCount, rate)
    default: return nil
    }
  }

  /// The samples of an AAC frame with more than one block (ISO 14496-3, 1.A.2.2.1); `nil` for any other.
  package static func ofSeveralBlocks(
    codec: Codec, bytes: UnsafeRawBufferPointer, frameSize: Int
  ) -> Int? {
    guard codec == .aac, bytes.first == 0xFF,
      let header = ADTSHeader(Array(bytes.prefix(16))),
      !header.isOneFrame
    else { return nil }
    return (frameSize > 0 ? frameSize : 1024) * header.blockCount
  }
}

extension AudioFrameLength {
  /// Whether every packet of a codec states its number of samples and rate.
  package static func isStated(codec: Codec) -> Bool {
    codec.isOne(of: .ac3, .eac3, .mp3, .opus)
  }

  /// Whether frames of a codec state their size in bytes.
  package static func statesBytes(codec: Codec) -> Bool {
    codec.isOne(of: .mp1, .mp2, .mp3, .ac3, .eac3, .dts, .amrNB, .amrWB, .mlp, .trueHD)
  }

  /// The samples that a packet decodes to according to its header; `nil` where not stated.
  package static func stated(codec: Codec, _ packet: [UInt8]) -> (samples: Int, rate: Int)? {
    guard isStated(codec: codec),
      case .samples(let count) = samples(codec: codec, packet, frameSize: 0),
      let rate = codec == .opus ? 48_000 : rate(codec, packet)
    else { return nil }
    return (count, rate)
  }

  /// The rate in the header of a frame (ETSI TS 102 366, 4.3.1 and E.2.3.1.3; ISO 11172-3, 2.4.2.3).
  private static func rate(_ codec: Codec, _ packet: [UInt8]) -> Int? {
    if codec == .mp3 { return MPEGAudioHeader(packet)?.sampleRate }
    guard packet.count > 4 else { return nil }
    let code = Int(packet[4] >> 6)
    if code < 3 { return [48_000, 44_100, 32_000][code] }
    let half = Int(packet[4] >> 4 & 3)
    return codec == .eac3 && half < 3 ? [24_000, 22_050, 16_000][half] : nil
  }
}
