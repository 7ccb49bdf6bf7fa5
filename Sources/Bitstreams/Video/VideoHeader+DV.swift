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
