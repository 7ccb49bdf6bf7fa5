/// Settings of an FFV1 encoder that make its pictures match the source's header (RFC 9043).
enum FFV1Coding {
  typealias Options = [(key: String, value: String)]

  /// Maximum bytes per pixel of a coded picture: FFmpeg allocates that much for each.
  static let bytesPerPixel = 37 * 4

  /// Options to be tried in order.
  ///
  /// Up to version 1 every keyframe contains the header. From version 3 on it is separate and
  /// states the number of slices, their coding and whether they have a CRC (4.2): of the variants
  /// that FFmpeg writes, one produces the same header, or none does.
  static func variants(_ configuration: [UInt8]) -> [Options] {
    guard !configuration.isEmpty else { return [[("level", "1")]] }
    var variants: [Options] = []
    for check in ["1", "0"] {
      for coder in ["rice", "range_tab", "range_def"] {
        for slices in slices {
          variants.append([
            ("level", "3"), ("coder", coder), ("slicecrc", check), ("slices", slices),
          ])
        }
      }
    }
    return variants
  }

  /// The same where every keyframe contains the header: a decoder that has read one of version 0, which does
  /// not state the depth, refuses one of version 1 (4.2).
  ///
  /// The range coder's first two values are whether the frame is a keyframe, and whether the version is 0; at
  /// first it gives half of its range to each (3.8.1).
  static func variants(keyframe: [UInt8]) -> [Options] {
    guard keyframe.count > 1 else { return variants([]) }
    let low = Int(keyframe[0]) << 8 | Int(keyframe[1])
    let (half, quarter) = (0xFF00 / 2, 0xFF00 / 4)
    return low >= half + quarter ? [[("level", "0")]] : variants([])
  }

  /// Slice counts that FFmpeg supports.
  private static let slices = ["4", "6", "9", "12", "15", "16", "20", "24", "30"]
}
