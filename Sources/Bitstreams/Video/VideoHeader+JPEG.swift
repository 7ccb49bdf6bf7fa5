extension VideoHeader {
  /// The frame header of a JPEG picture (ITU-T T.81, B.2.2), which every frame of Motion JPEG has.
  package init?(jpeg sample: ArraySlice<UInt8>) {
    var rest = sample
    guard rest.starts(with: [0xFF, 0xD8]) else { return nil }
    rest = rest.dropFirst(2)
    while rest.count >= 4, rest[rest.startIndex] == 0xFF {
      let marker = rest[rest.startIndex + 1]
      // A marker may be preceded by additional 0xFF fill bytes.
      if marker == 0xFF {
        rest = rest.dropFirst()
        continue
      }
      let length = Int(rest[rest.startIndex + 2]) << 8 | Int(rest[rest.startIndex + 3])
      let segment = rest.dropFirst(4).prefix(max(0, length - 2))
      if let name = Self.jpegProfiles[marker] {
        self.init(jpegFrame: segment)
        profile = name
        return
      }
      guard length >= 2, marker != 0xDA else { return nil }
      rest = rest.dropFirst(2 + length)
    }
    return nil
  }

  /// The frame types (table B.1), under FFmpeg's names.
  private static let jpegProfiles: [UInt8: String] = [
    0xC0: "Baseline", 0xC1: "Sequential", 0xC2: "Progressive", 0xC3: "Lossless",
  ]

  private init?(jpegFrame segment: ArraySlice<UInt8>) {
    let bytes = Array(segment)
    guard bytes.count >= 6 else { return nil }
    let count = Int(bytes[5])
    guard bytes.count >= 6 + 3 * count else { return nil }
    self.init()
    let (height, width) = (
      Int(bytes[1]) << 8 | Int(bytes[2]), Int(bytes[3]) << 8 | Int(bytes[4])
    )
    if width > 0, height > 0 { (self.width, self.height) = (width, height) }
    bitDepth = Int(bytes[0])
    // JFIF: full range with the matrix of BT.601.
    isFullRange = true
    let sampling = (0..<count).map { bytes[7 + 3 * $0] }
    let chroma: Int
    switch sampling {
    case let single where single.count == 1: chroma = 0
    case [0x22, 0x11, 0x11]: chroma = 1
    case [0x21, 0x11, 0x11], [0x22, 0x12, 0x12]: chroma = 2
    case [0x11, 0x11, 0x11], [0x22, 0x22, 0x22]: chroma = 3
    default: return
    }
    if chroma > 0 { matrix = 5 }
    pixelFormat = PixelFormat.name(chroma: chroma, bitDepth: Int(bytes[0]), isFullRange: true)
  }
}
