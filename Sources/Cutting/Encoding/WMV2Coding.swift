import Bitstreams

/// Settings of a Windows Media Video 8 encoder that make its pictures match the source's header:
/// frame rate, bit rate, and which tools are used.
///
/// FFmpeg's encoder always uses the same tools, except for the loop filter.
enum WMV2Coding {
  static func variants(_ configuration: [UInt8]) -> [[(key: String, value: String)]] {
    var reader = BitReader(configuration)
    guard reader.skip(5), let kilobits = reader.read(11) else { return [] }
    return ["+qscale", "+qscale+loop"].map { [("flags", $0), ("b", "\(kilobits * 1024)")] }
  }
}
