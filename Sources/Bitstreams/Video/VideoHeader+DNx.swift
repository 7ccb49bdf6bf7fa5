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
    var (height, width) = (number(at: 0x18), number(at: 0x1A))
    let rows = number(at: 0x16C)
    // In interlaced pictures the header may count the lines of one field.
    if bytes[5] & 2 != 0, (height + 15) / 16 == rows { height *= 2 }
    if width > 0, height > 0 { (self.width, self.height) = (width, height) }
  }
}
