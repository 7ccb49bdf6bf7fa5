import Bitstreams

/// A frame of MPEG layer III that sounds of nothing and carries what the next one needs.
///
/// A frame's data may begin up to 511 bytes before it, in what the frames before left free
/// (ISO 11172-3, 2.4.2.7, main_data_begin). Where a cut takes those away, one silent frame in front
/// holds the same bytes.
enum MPEGReservoir {
  /// - Parameters:
  ///   - next: the first frame that is kept.
  ///   - before: the frames before it, in order; the last dozen is enough.
  /// - Returns: `nil` for what is not layer III, or of a free bit rate.
  static func frame(before next: [UInt8], from before: [[UInt8]]) -> [UInt8]? {
    guard let header = MPEGAudioHeader(next), header.layer == 3, next.count > 4 else { return nil }
    var held: [UInt8] = []
    for frame in before.reversed() {
      guard held.count < 511, let area = mainData(of: frame) else { break }
      held.insert(contentsOf: area, at: 0)
    }
    held = Array(held.suffix(511))
    // The highest bit rate, no CRC, no padding.
    var bytes: [UInt8] = [0xFF, next[1] | 1, next[2] & 0x0C | 0xE0, next[3]]
    guard let size = MPEGAudioHeader(bytes)?.byteCount else { return nil }
    let room = size - 4 - header.sideInformationByteCount
    guard room > 0 else { return nil }
    held = Array(held.suffix(room))
    // Side information of zeros: no data of its own, all granules silent.
    bytes += [UInt8](repeating: 0, count: size - 4 - held.count)
    return bytes + held
  }

  /// What lies behind a frame's header, CRC and side information.
  private static func mainData(of frame: [UInt8]) -> ArraySlice<UInt8>? {
    guard let header = MPEGAudioHeader(frame), header.layer == 3 else { return nil }
    let start = 4 + (frame[1] & 1 == 0 ? 2 : 0) + header.sideInformationByteCount
    return start <= frame.count ? frame[start...] : nil
  }
}
