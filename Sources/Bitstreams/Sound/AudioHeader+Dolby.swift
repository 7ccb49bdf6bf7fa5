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

  private static func dolbyRate(_ code: UInt32) -> Int? {
    code < 3 ? [48000, 44100, 32000][Int(code)] : nil
  }

  /// Table 4.3: acmod, with or without the low-frequency channel.
  private mutating func setDolbyLayout(mode: Int, hasLowFrequency: Bool) {
    let counts = [2, 1, 2, 3, 3, 4, 4, 5]
    let names = ["stereo", "mono", "stereo", "3.0", "3.0(back)", "4.0", "quad(side)", "5.0(side)"]
    let withLow: [String?] = ["2.1", nil, "2.1", "3.1", nil, "4.1", nil, "5.1(side)"]
    channels = counts[mode] + (hasLowFrequency ? 1 : 0)
    channelLayout = hasLowFrequency ? withLow[mode] : names[mode]
  }
}
