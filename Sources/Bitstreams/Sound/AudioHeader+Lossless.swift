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
