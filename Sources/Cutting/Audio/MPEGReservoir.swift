import Bitstreams

/// Creates a silent MPEG layer III frame that carries the bit reservoir data of the next one.
///
/// A frame's data may begin up to 511 bytes before it, in space left free by earlier frames (ISO
/// 11172-3, 2.4.2.7, main_data_begin). If a cut removes those, one silent frame before it holds the
/// same bytes.
enum MPEGReservoir {
  /// - Parameters:
  ///   - next: the first frame that is kept.
  ///   - before: the frames before it, in order; the last dozen is enough.
  /// - Returns: `nil` for anything but layer III, and for free-format bit rates.
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
    // All-zero side information: no data of its own, all granules silent.
    bytes += [UInt8](repeating: 0, count: size - 4 - held.count)
    // Zeros before the held data could be read as an H.263 start code (ITU-T H.263, 5.1.1): the
    // last bit before it belongs to no data, or selects an unused table.
    bytes[bytes.count - 1] = 1
    return bytes + held
  }

  /// The first kept frame with all the data that it needs: a larger frame with the same audio.
  ///
  /// For containers that cannot state that a preceding frame is not heard.
  ///
  /// - Returns: `nil` where no earlier data is needed, where it is not available, or where no frame
  ///   is large enough.
  static func whole(_ first: [UInt8], after before: [[UInt8]]) -> [UInt8]? {
    guard let header = MPEGAudioHeader(first), header.layer == 3, header.byteCount != nil,
      let area = mainData(of: first), let needed = Needed(first, header), needed.before > 0
    else { return nil }
    var held: [UInt8] = []
    for frame in before.reversed() where held.count < needed.before {
      guard let area = mainData(of: frame) else { return nil }
      held.insert(contentsOf: area, at: 0)
    }
    let data = Array(held.suffix(needed.before)) + area
    guard held.count >= needed.before, needed.byteCount <= data.count else { return nil }
    let head = 4 + header.sideInformationByteCount
    for rate in first[2] >> 4..<15 {
      // No CRC, no padding.
      var frame = [0xFF, first[1] | 1, first[2] & 0x0D | rate << 4, first[3]]
      guard let size = MPEGAudioHeader(frame)?.byteCount, size >= head + data.count else {
        continue
      }
      frame += first[(area.startIndex - header.sideInformationByteCount)..<area.startIndex]
      // main_data_begin is the first nine bits, or eight at the lower sample rates.
      frame[4] = 0
      if header.sampleCount == 1152 { frame[5] &= 0x7F }
      // Following frames count back from their own start, so their data stays at the end.
      frame += data[..<needed.byteCount]
      frame += [UInt8](repeating: 0, count: size - head - data.count)
      return frame + data[needed.byteCount...]
    }
    return nil
  }

  /// What a frame's side information states about its data (ISO 11172-3, 2.4.1.7; ISO 13818-3,
  /// 2.4.1.7).
  private struct Needed {
    /// Bytes located before the frame.
    let before: Int
    /// Total bytes of its data.
    let byteCount: Int

    init?(_ frame: [UInt8], _ header: MPEGAudioHeader) {
      let isMPEG1 = header.sampleCount == 1152
      let isMono = header.channels == 1
      var reader = BitReader(frame[(4 + (frame[1] & 1 == 0 ? 2 : 0))...])
      guard let before = reader.read(isMPEG1 ? 9 : 8) else { return nil }
      if isMPEG1 {
        // Private bits, and scale factor selection information.
        reader.skip(isMono ? 5 + 4 : 3 + 8)
      } else {
        reader.skip(isMono ? 1 : 2)
      }
      var bits = 0
      for _ in 0..<(isMPEG1 ? 2 : 1) * header.channels {
        guard let length = reader.read(12), reader.skip(isMPEG1 ? 47 : 51) else { return nil }
        bits += Int(length)
      }
      self.before = Int(before)
      byteCount = (bits + 7) / 8
    }
  }

  /// What follows a frame's header, CRC and side information.
  private static func mainData(of frame: [UInt8]) -> ArraySlice<UInt8>? {
    guard let header = MPEGAudioHeader(frame), header.layer == 3 else { return nil }
    let start = 4 + (frame[1] & 1 == 0 ? 2 : 0) + header.sideInformationByteCount
    return start <= frame.count ? frame[start...] : nil
  }
}
