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
