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
