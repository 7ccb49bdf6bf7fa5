extension VideoHeader {
  /// The tag and header of a VP8 keyframe (RFC 6386, 9.1).
  package init?(vp8 bytes: ArraySlice<UInt8>) {
    let frame = Array(bytes.prefix(10))
    guard frame.count == 10, frame[0] & 1 == 0, frame[3...5] == [0x9D, 0x01, 0x2A] else {
      return nil
    }
    let width = (Int(frame[7]) << 8 | Int(frame[6])) & 0x3FFF
    let height = (Int(frame[9]) << 8 | Int(frame[8])) & 0x3FFF
    guard width > 0, height > 0 else { return nil }
    self.init()
    (self.width, self.height) = (width, height)
    profile = "\(frame[0] >> 1 & 7)"
    bitDepth = 8
    isProgressive = true
    maxReorderFrames = 0
    pixelFormat = "yuv420p"
  }

  /// The header of a VP6 keyframe (On2, VP6 Bitstream & Decoder Specification, 9.1): sizes in 16-pixel
  /// blocks.
  ///
  /// - Parameter cropped: pixels that are not shown: columns in the upper four bits, rows in the lower (Video
  ///   File Format Specification 10.1, E.4.3.1, VP6FLVVIDEOPACKET).
  package init?(vp6 bytes: ArraySlice<UInt8>, cropped: UInt8) {
    let frame = Array(bytes.prefix(8))
    guard frame.count == 8, frame[0] & 0x80 == 0, frame[1] >> 3 <= 8 else { return nil }
    // Where coefficients have a separate partition, a two-byte offset comes first.
    let start = frame[0] & 1 == 1 || frame[1] & 6 == 0 ? 4 : 2
    let height = Int(frame[start]) * 16 - Int(cropped & 0x0F)
    let width = Int(frame[start + 1]) * 16 - Int(cropped >> 4)
    guard width > 0, height > 0 else { return nil }
    self.init()
    (self.width, self.height) = (width, height)
    bitDepth = 8
    maxReorderFrames = 0
    pixelFormat = "yuv420p"
  }

  /// The uncompressed header of a VP9 keyframe (VP9 bitstream specification, 6.2).
  package init?(vp9 bytes: ArraySlice<UInt8>) {
    self.init()
    var reader = SyntaxReader(bytes.prefix(32))
    do {
      try readVP9(&reader)
    } catch {
      return nil
    }
    isProgressive = true
    maxReorderFrames = 0
  }

  private mutating func readVP9(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    guard try reader.bits(2) == 2 else { throw SyntaxReader.NotUnderstood() }
    let number = try Int(reader.bits(1) | reader.bits(1) << 1)
    try reader.skip(number == 3 ? 1 : 0)
    // frame_type 0 is a keyframe; show_existing_frame has no header.
    guard try reader.bits(2) == 0 else { throw SyntaxReader.NotUnderstood() }
    try reader.skip(2)
    guard try reader.bits(24) == 0x498342 else { throw SyntaxReader.NotUnderstood() }
    try readVP9Color(&reader, profile: number)
    profile = "Profile \(number)"
    width = try Int(reader.bits(16)) + 1
    height = try Int(reader.bits(16)) + 1
  }

  /// color_config, 6.2.2 and 7.2.2.
  private mutating func readVP9Color(
    _ reader: inout SyntaxReader, profile: Int
  ) throws(SyntaxReader.NotUnderstood) {
    let isTwelve = try profile >= 2 ? reader.flag() : false
    let depth = profile < 2 ? 8 : isTwelve ? 12 : 10
    bitDepth = depth
    let space = try reader.bits(3)
    guard space != 7 else {
      guard profile & 1 == 1 else { throw SyntaxReader.NotUnderstood() }
      try reader.skip(1)
      color.matrix = 0
      isFullRange = true
      pixelFormat = PixelFormat.planarRGB(bitDepth: depth)
      return
    }
    let matrices: [Int?] = [nil, 5, 1, 6, 7, 9, nil]
    color.matrix = matrices[Int(space)]
    isFullRange = try reader.flag()
    let (halvesWidth, halvesHeight) =
      try profile & 1 == 1 ? (reader.flag(), reader.flag()) : (true, true)
    try reader.skip(profile & 1)
    pixelFormat = PixelFormat.name(
      halvesWidth: halvesWidth, halvesHeight: halvesHeight, bitDepth: depth)
  }
}

extension PixelFormat {
  /// Green, blue and red planes.
  package static func planarRGB(bitDepth: Int) -> String? {
    switch bitDepth {
    case 8: "gbrp"
    case 9, 10, 12, 14, 16: "gbrp\(bitDepth)le"
    default: nil
    }
  }

  /// The name for the two subsampling flags of VP9 and AV1.
  package static func name(halvesWidth: Bool, halvesHeight: Bool, bitDepth: Int) -> String? {
    switch (halvesWidth, halvesHeight) {
    case (true, true): name(chroma: 1, bitDepth: bitDepth, isFullRange: false)
    case (true, false): name(chroma: 2, bitDepth: bitDepth, isFullRange: false)
    case (false, false): name(chroma: 3, bitDepth: bitDepth, isFullRange: false)
    case (false, true): bitDepth == 8 ? "yuv440p" : "yuv440p\(bitDepth)le"
    }
  }
}
