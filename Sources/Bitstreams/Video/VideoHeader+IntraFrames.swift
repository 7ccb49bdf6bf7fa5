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
    setSize(Int(bytes[3]) << 8 | Int(bytes[4]), Int(bytes[1]) << 8 | Int(bytes[2]))
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
    if chroma > 0 { color.matrix = 5 }
    pixelFormat = PixelFormat.name(chroma: chroma, bitDepth: Int(bytes[0]), isFullRange: true)
  }
}

extension VideoHeader {
  /// The size in a PNG's first chunk (ISO/IEC 15948, 11.2.2).
  package init?(png sample: ArraySlice<UInt8>) {
    let head = Array(sample.prefix(24))
    guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      head[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ place: Int) -> Int { head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    self.init()
    (width, height) = (number(16), number(20))
  }
}

extension VideoHeader {
  /// The frame header of VC-3, that is, DNxHD and DNxHR (SMPTE ST 2019-1, 5).
  package init?(dnx sample: ArraySlice<UInt8>) {
    let bytes = Array(sample.prefix(0x170))
    guard bytes.count == 0x170, bytes.starts(with: [0, 0]), bytes[2] == 2 || bytes[2] == 3 else {
      return nil
    }
    func number(at place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    self.init()
    // Active lines of the picture, samples per line, and rows of macroblocks.
    var height = number(at: 0x18)
    let rows = number(at: 0x16C)
    // In interlaced pictures the header may count the lines of one field.
    if bytes[5] & 2 != 0, (height + 15) / 16 == rows { height *= 2 }
    setSize(number(at: 0x1A), height)
  }
}

extension VideoHeader {
  /// The first DIF blocks of a DV frame (IEC 61834-2, 11.4; SMPTE ST 314, 5 and ST 370, 4): the 525
  /// or 625 line system in the header section, the signal type in the VAUX source pack.
  package init?(dv sample: ArraySlice<UInt8>) {
    let bytes = Array(sample.prefix(480))
    // The first block is a header (section type 0), the sixth VAUX (section type 2).
    guard bytes.count == 480, bytes[0] >> 5 == 0, bytes[400] >> 5 == 2 else { return nil }
    let isOf50Fields = bytes[3] & 0x80 != 0
    self.init()
    switch bytes[451] & 0x1F {
    case 0x14: (width, height) = (isOf50Fields ? 1440 : 1280, 1080)
    case 0x18: (width, height) = (960, 720)
    default: (width, height) = (720, isOf50Fields ? 576 : 480)
    }
  }
}
