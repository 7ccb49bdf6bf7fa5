/// Slices of a picture without its first.
enum PictureTail {
  /// - Parameter bytes: a packet of a transport or program stream, whose units have start codes.
  /// - Returns: false also where nothing in it tells.
  static func isTail(_ bytes: UnsafeRawBufferPointer, codec: String) -> Bool {
    var place = 0
    while place + 5 < bytes.count {
      guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
        place += 1
        continue
      }
      let unit = UnsafeRawBufferPointer(rebasing: bytes[(place + 3)...])
      if let continues = continues(unit, codec) { return continues }
      place += 3
    }
    return false
  }

  /// Whether a unit goes on with a picture; `nil` where it is of no picture.
  private static func continues(_ unit: UnsafeRawBufferPointer, _ codec: String) -> Bool? {
    switch codec {
    case "h264":
      // ITU-T H.264, 7.3.3: `first_mb_in_slice` is zero, a single set bit, in the first slice.
      [1, 2, 5].contains(unit[0] & 0x1F) ? unit[1] & 0x80 == 0 : nil
    case "hevc":
      // ITU-T H.265, 7.3.6.1: `first_slice_segment_in_pic_flag`, behind a header of two bytes.
      unit[0] >> 1 & 0x3F < 32 ? unit[2] & 0x80 == 0 : nil
    case "mpeg1video", "mpeg2video":
      // ISO 13818-2, 6.2.1: slices are numbered from 1; pictures, sequences and groups stand in front.
      switch unit[0] {
      case 0x01...0xAF: true
      case 0x00, 0xB3, 0xB8: false
      default: nil
      }
    default: nil
    }
  }
}
