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
