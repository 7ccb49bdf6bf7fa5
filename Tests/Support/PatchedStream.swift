/// The timestamps of a transport stream (ISO/IEC 13818-1, 2.4.3.7), to be changed in place.
package struct PatchedStream {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Calls `change` with each 33-bit PTS and DTS, in file order.
  ///
  /// - Parameters:
  ///   - streams: the stream IDs; audio begins with 0xC0, video with 0xE0 (2.4.3.7, table 2-22).
  ///   - change: returns the new value; `nil` removes the timestamps from the header.
  package mutating func changeStamps(
    of streams: ClosedRange<UInt8> = 0xC0...0xEF,
    _ change: (_ number: Int, _ stamp: Int64) -> Int64?
  ) {
    var number = 0
    for packet in stride(from: 0, to: bytes.count - 187, by: 188) {
      let startsUnit = bytes[packet + 1] & 0x40 != 0
      let hasAdaptation = bytes[packet + 3] & 0x20 != 0
      let start = packet + 4 + (hasAdaptation ? 1 + Int(bytes[packet + 4]) : 0)
      guard startsUnit, start + 19 <= packet + 188,
        bytes[start..<start + 3].elementsEqual([0, 0, 1]),
        streams.contains(bytes[start + 3])
      else { continue }
      let flags = bytes[start + 7] >> 6
      let places = [start + 9, start + 14].prefix(flags == 3 ? 2 : flags == 2 ? 1 : 0)
      for place in places {
        guard let stamp = change(number, stamp(at: place)) else {
          // The bytes of the timestamps become stuffing.
          bytes[start + 7] &= 0x3F
          for index in 0..<Int(bytes[start + 8]) { bytes[start + 9 + index] = 0xFF }
          break
        }
        write(stamp, at: place)
      }
      number += 1
    }
  }

  private func stamp(at place: Int) -> Int64 {
    let field = bytes[place..<place + 5].map { Int64($0) }
    let high = (field[0] >> 1 & 7) << 30
    let middle = field[1] << 22 | (field[2] >> 1) << 15
    return high | middle | field[3] << 7 | field[4] >> 1
  }

  private mutating func write(_ stamp: Int64, at place: Int) {
    let value = stamp & (1 << 33 - 1)
    bytes[place] = bytes[place] & 0xF0 | UInt8(value >> 30 & 7) << 1 | 1
    bytes[place + 1] = UInt8(value >> 22 & 0xFF)
    bytes[place + 2] = UInt8(value >> 15 & 0x7F) << 1 | 1
    bytes[place + 3] = UInt8(value >> 7 & 0xFF)
    bytes[place + 4] = UInt8(value & 0x7F) << 1 | 1
  }
}
