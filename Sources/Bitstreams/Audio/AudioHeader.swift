package import MediaFacts

/// The contents of an audio codec's configuration.
package struct AudioHeader: Hashable {
  package var profile: String?
  /// Sample rate of the decoded audio: with spectral band replication, twice the coded one.
  package var sampleRate: Int?
  package var channels: Int?
  /// FFmpeg's layout name: `mono`, `stereo`, `5.1(side)`; `nil` where the layout has no name.
  package var channelLayout: String?
  /// Samples that every packet decodes to, at ``sampleRate``; `nil` where packets differ.
  package var samplesPerPacket: Int?
  /// Samples to drop from the start of the decoded audio, at ``sampleRate``.
  package var preSkip: Int?
  package var bitDepth: Int?
  /// Samples in the whole stream, where the configuration states it.
  package var sampleCount: Int?

  /// - Parameters:
  ///   - codec: FFmpeg's name of the codec.
  ///   - configuration: the configuration stored in the container: AudioSpecificConfig, `dOps` or OpusHead,
  ///     `dac3`, `dec3`, `dmlp`, `dfLa` or STREAMINFO, `alac`, Vorbis' first header; for MPEG audio, DTS and
  ///     AC-3 without a box, a frame.
  package init?(codec: Codec, configuration: [UInt8]) {
    switch codec {
    case .aac, .mp4ALS, .usac: self.init(audioSpecificConfig: configuration)
    case .opus: self.init(opus: configuration)
    case .vorbis: self.init(vorbis: configuration[...])
    case .flac: self.init(flac: configuration)
    case .alac: self.init(alac: configuration)
    case .ac3: self.init(dac3: configuration)
    case .eac3: self.init(dec3: configuration)
    case .trueHD: self.init(dmlp: configuration)
    case .dts: self.init(dtsFrame: configuration)
    case .mp1, .mp2, .mp3: self.init(mpegFrame: configuration)
    default: return nil
    }
  }

  package init() {}

  private init?(mpegFrame bytes: [UInt8]) {
    guard let header = MPEGAudioHeader(bytes[...]) else { return nil }
    self.init()
    sampleRate = header.sampleRate
    channels = header.channels
    channelLayout = header.channels == 1 ? "mono" : "stereo"
    samplesPerPacket = header.sampleCount
  }
}

extension AudioHeader {
  /// AC3SpecificBox (ETSI TS 102 366, F.4).
  package init?(dac3 bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard let rateCode = reader.read(2), reader.skip(5 + 3), let mode = reader.read(3),
      let hasLowFrequency = reader.flag()
    else { return nil }
    self.init()
    sampleRate = Self.dolbyRate(rateCode)
    setDolbyLayout(mode: Int(mode), hasLowFrequency: hasLowFrequency)
    // Six blocks of 256.
    samplesPerPacket = 1536
  }

  /// A frame of AC-3 or E-AC-3 (ETSI TS 102 366, 4.3 and E.1.2); for E-AC-3, the first frame of an
  /// independent substream.
  package init?(dolbyFrame bytes: [UInt8]) {
    guard bytes.count > 8, bytes.starts(with: [0x0B, 0x77]) else { return nil }
    var reader = BitReader(Array(bytes[2..<9]))
    self.init()
    if bytes[5] >> 3 > 10 {
      guard reader.skip(16), let rateCode = reader.read(2), let half = reader.read(2),
        let mode = reader.read(3), let hasLowFrequency = reader.flag()
      else { return nil }
      sampleRate = rateCode == 3 ? Self.dolbyRate(half).map { $0 / 2 } : Self.dolbyRate(rateCode)
      samplesPerPacket = rateCode == 3 ? 1536 : [256, 512, 768, 1536][Int(half)]
      setDolbyLayout(mode: Int(mode), hasLowFrequency: hasLowFrequency)
    } else {
      guard reader.skip(16), let rateCode = reader.read(2), reader.skip(6 + 5 + 3),
        let mode = reader.read(3)
      else { return nil }
      // Levels of center and surround, or the Dolby Surround mode, precede the flag.
      let levels = (mode & 1 != 0 && mode != 1 ? 2 : 0) + (mode & 4 != 0 ? 2 : 0)
      guard reader.skip(levels + (mode == 2 ? 2 : 0)), let hasLowFrequency = reader.flag() else {
        return nil
      }
      sampleRate = Self.dolbyRate(rateCode)
      samplesPerPacket = 1536
      setDolbyLayout(mode: Int(mode), hasLowFrequency: hasLowFrequency)
    }
  }

  /// EC3SpecificBox (F.6): the first independent substream, with the channels its dependent ones add.
  package init?(dec3 bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard reader.skip(13 + 3), let rateCode = reader.read(2), reader.skip(5 + 1 + 1 + 3),
      let mode = reader.read(3), let hasLowFrequency = reader.flag(), reader.skip(3),
      let dependentCount = reader.read(4)
    else { return nil }
    self.init()
    sampleRate = Self.dolbyRate(rateCode)
    setDolbyLayout(mode: Int(mode), hasLowFrequency: hasLowFrequency)
    guard dependentCount > 0, let places = reader.read(9), let base = channels else { return }
    // chan_loc, from the lowest bit: Lc/Rc, Lrs/Rrs, Cs, Ts, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Cvh, LFE2.
    let widths = [2, 2, 1, 1, 2, 2, 2, 1, 1]
    let added = widths.indices.reduce(0) { $0 + (places >> UInt32($1) & 1 == 1 ? widths[$1] : 0) }
    guard added > 0 else { return }
    channels = base + added
    channelLayout = places == 0b10 && channelLayout == "5.1(side)" ? "7.1" : nil
  }

  /// MLPSpecificBox: the format in the major sync of Dolby TrueHD, from which the presentation with the most
  /// channels is taken.
  init?(dmlp bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard let rateCode = reader.read(4), reader.skip(4 + 2 + 2), let six = reader.read(5),
      reader.skip(2), let eight = reader.read(13), rateCode != 15
    else { return nil }
    self.init()
    sampleRate = (rateCode & 8 == 0 ? 48_000 : 44_100) << Int(rateCode & 7)
    let places = eight > 0 ? eight : six
    guard places > 0 else { return }
    // From the lowest bit: L/R, C, LFE, Ls/Rs, Lvh/Rvh, Lc/Rc, Lrs/Rrs, Cs, Ts, Lsd/Rsd, Lw/Rw, Cvh,
    // LFE2.
    let widths = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1]
    channels = widths.indices.reduce(0) { $0 + (places >> UInt32($1) & 1 == 1 ? widths[$1] : 0) }
    channelLayout = [1: "stereo", 2: "mono", 0xF: "5.1(side)", 0x4F: "7.1"][places]
  }

  private static func dolbyRate(_ code: UInt32) -> Int? {
    code < 3 ? [48000, 44100, 32000][Int(code)] : nil
  }

  /// Table 4.3: acmod, with or without the low-frequency channel.
  mutating func setDolbyLayout(mode: Int, hasLowFrequency: Bool) {
    let counts = [2, 1, 2, 3, 3, 4, 4, 5]
    let names = ["stereo", "mono", "stereo", "3.0", "3.0(back)", "4.0", "quad(side)", "5.0(side)"]
    let withLow: [String?] = ["2.1", nil, "2.1", "3.1", nil, "4.1", nil, "5.1(side)"]
    channels = counts[mode] + (hasLowFrequency ? 1 : 0)
    channelLayout = hasLowFrequency ? withLow[mode] : names[mode]
  }
}

extension AudioHeader {
  /// The core header of a DTS frame (ETSI TS 102 114, 5.3.1).
  ///
  /// - Returns: `nil` for a frame without a core, and for one with more channels than its core has.
  init?(dtsFrame bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard reader.read(16) == 0x7FFE, reader.read(16) == 0x8001, reader.skip(1 + 5 + 1 + 7 + 14),
      let mode = reader.read(6), let rateCode = reader.read(4), reader.skip(5 + 1 + 1 + 1 + 1 + 1),
      let extensionKind = reader.read(3), let isExtended = reader.flag(), reader.skip(1),
      let lowFrequency = reader.read(2), mode < Self.dolbyModes.count,
      // XCh and XXCh (table 5-9).
      !isExtended || extensionKind != 0 && extensionKind != 6
    else { return nil }
    self.init()
    let rate = Self.dtsRates[Int(rateCode)]
    sampleRate = rate > 0 ? rate : nil
    setDolbyLayout(
      mode: Self.dolbyModes[Int(mode)], hasLowFrequency: lowFrequency == 1 || lowFrequency == 2)
  }

  /// AMODE (table 5-4) as AC-3's acmod: one channel, four kinds of two, then 3/0, 2/1, 3/1, 2/2 and 3/2.
  private static let dolbyModes = [1, 2, 2, 2, 2, 3, 4, 5, 6, 7]
  /// SFREQ (table 5-5).
  private static let dtsRates = [
    0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 96_000,
    192_000,
  ]
}

extension AudioHeader {
  /// STREAMINFO (RFC 9639, 8.2), on its own, after `fLaC`, or in a `dfLa` box.
  package init?(flac bytes: [UInt8]) {
    var info = bytes[...]
    if info.starts(with: "fLaC".utf8) { info = info.dropFirst(8) }
    // A full box, then the header of the metadata block.
    if info.count >= 42, info.starts(with: [0, 0, 0, 0]) { info = info.dropFirst(8) }
    var reader = BitReader(info)
    guard let least = reader.read(16), let most = reader.read(16), reader.skip(48),
      let rate = reader.read(20), let count = reader.read(3), let depth = reader.read(5),
      let high = reader.read(4), let low = reader.read(32), rate > 0
    else { return nil }
    self.init()
    sampleRate = Int(rate)
    channels = Int(count) + 1
    bitDepth = Int(depth) + 1
    let layouts = [
      "mono", "stereo", "3.0", "quad", "5.0(side)", "5.1(side)", "6.1", "7.1",
    ]
    channelLayout = layouts[Int(count)]
    let total = Int(high) << 32 | Int(low)
    if total > 0 { sampleCount = total }
    // The last packet may still be shorter.
    if least == most, least > 0 { samplesPerPacket = Int(least) }
  }

  /// ALACSpecificConfig, on its own, in the full box `alac`, or with the header that FFmpeg keeps.
  package init?(alac bytes: [UInt8]) {
    var fields = bytes[...]
    if fields.dropFirst(4).starts(with: "alac".utf8) { fields = fields.dropFirst(8) }
    if fields.starts(with: [0, 0, 0, 0]) { fields = fields.dropFirst(4) }
    var reader = BitReader(fields)
    guard let length = reader.read(32), length > 0, reader.skip(8), let depth = reader.read(8),
      reader.skip(24), let count = reader.read(8), count > 0, reader.skip(16 + 32 + 32),
      let rate = reader.read(32), rate > 0
    else { return nil }
    self.init()
    sampleRate = Int(rate)
    channels = Int(count)
    bitDepth = Int(depth)
    samplesPerPacket = Int(length)
    let layouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"]
    if count <= 8 { channelLayout = layouts[Int(count) - 1] }
  }
}

extension AudioHeader {
  /// OpusHead (RFC 7845, 5.1, little-endian) or a `dOps` box, which has the same fields big-endian.
  package init?(opus bytes: [UInt8]) {
    let isHead = bytes.starts(with: "OpusHead".utf8)
    let fields = bytes.dropFirst(isHead ? 8 : 0)
    let start = fields.startIndex
    // The upper half of the version is the major version.
    guard fields.count >= 11, fields[start] < 16, fields[start + 1] > 0 else { return nil }
    self.init()
    let (first, second) = (Int(fields[start + 2]), Int(fields[start + 3]))
    preSkip = isHead ? second << 8 | first : first << 8 | second
    sampleRate = 48000
    let count = Int(fields[start + 1])
    channels = count
    if fields[start + 10] <= 1 { channelLayout = Self.vorbisLayout(count) }
  }

  /// The identification header (Vorbis I, 4.2.2), on its own or as the first of three packets laced
  /// as in Matroska.
  package init?(vorbis bytes: ArraySlice<UInt8>) {
    var header = bytes
    if header.first == 2 {
      // The lengths of the first two packets, each as bytes of 255 and a remainder.
      header = header.dropFirst()
      for _ in 0..<2 {
        header = header.drop { $0 == 255 }
        header = header.dropFirst()
      }
    }
    let start = header.startIndex
    guard header.count >= 30, header[start] == 1,
      header[(start + 1)...].starts(with: "vorbis".utf8), header[start + 11] > 0
    else { return nil }
    let rate = (0..<4).reduce(0) { $0 | Int(header[start + 12 + $1]) << (8 * $1) }
    guard rate > 0 else { return nil }
    self.init()
    sampleRate = rate
    channels = Int(header[start + 11])
    channelLayout = Self.vorbisLayout(Int(header[start + 11]))
  }

  /// Vorbis I, 4.3.9; the same for Opus with mapping family 1.
  private static func vorbisLayout(_ channels: Int) -> String? {
    let layouts = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
    return channels > 0 && channels <= layouts.count ? layouts[channels - 1] : nil
  }
}
