#if FFmpeg
  /// What an encoder of FFV1 is told, so that its pictures stand under the source's header (RFC 9043).
  enum FFV1Coding {
    typealias Options = [(key: String, value: String)]

    /// The largest that a picture can become: FFmpeg sets so much aside for each.
    static let bytesPerPixel = 37 * 4

    /// Options to be tried in order.
    ///
    /// Up to version 1 every keyframe brings the header along. From version 3 on it stands apart and
    /// says how many slices there are, how they are coded and whether they bear a CRC (4.2): of the
    /// kinds that FFmpeg writes, one makes the same header, or none.
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

    /// Counts that FFmpeg divides pictures into.
    private static let slices = ["4", "6", "9", "12", "15", "16", "20", "24", "30"]
  }
#endif
