import ExactTime
import MediaFiles

/// About how long a transport stream is, from the clocks at both of its ends: what comes between them is not
/// read, so that a reset of the clock there is not noticed.
enum TransportEstimate {
  /// How much is read at the end: in it, a clock is stated several times (ISO 13818-1, 2.7.2: at least
  /// every 0.1 s).
  private static let portion: Int64 = 512 << 10
  /// Packets alone, with a time before each (M2TS), and with Reed-Solomon bytes behind.
  private static let strides = [188, 192, 204]
  private static let syncByte: UInt8 = 0x47
  /// The ticks in a second, and those after which the clock starts over (2.4.3.5).
  private static let rate: Int64 = 90_000
  private static let wrap: Int64 = 1 << 33

  /// - Returns: `nil` for anything but a transport stream, or where a clock is missing at one end.
  static func length(of file: InputFile) -> MediaDuration? {
    guard let size = file.byteCount, size > 2 * portion else { return nil }
    let head = clocks(in: file.bytes(in: 0..<portion, atMost: Int(portion)))
    guard let first = head.first else { return nil }
    let start = size - portion
    file.expect(start..<size)
    let tail = clocks(in: file.bytes(in: start..<size, atMost: Int(portion)))
    guard let last = tail.last(where: { $0.program == first.program }) else { return nil }
    let ticks = (last.time - first.time + wrap) % wrap
    return ticks > 0 ? MediaDuration(ticks, rate) : nil
  }

  private struct Clock {
    /// The PID of the packets that state it.
    var program: Int
    var time: Int64
  }

  private static func clocks(in bytes: [UInt8]) -> [Clock] {
    guard let (start, stride) = beginning(of: bytes) else { return [] }
    var found: [Clock] = []
    var place = start
    while place + 188 <= bytes.count {
      if let clock = clock(bytes[place..<place + 188]) { found.append(clock) }
      place += stride
    }
    return found
  }

  /// Where the first packet begins, and how far apart they are.
  private static func beginning(of bytes: [UInt8]) -> (start: Int, stride: Int)? {
    for stride in strides where bytes.count > 10 * stride {
      let start = (0..<stride).first { start in
        (0..<8).allSatisfy { bytes[start + $0 * stride] == syncByte }
      }
      if let start { return (start, stride) }
    }
    return nil
  }

  /// The program clock reference of a packet (2.4.3.4), in ticks of 90 kHz.
  private static func clock(_ packet: ArraySlice<UInt8>) -> Clock? {
    let bytes = Array(packet.prefix(12))
    // An adaptation field that is long enough and states it, in a packet without errors.
    guard bytes[0] == syncByte, bytes[1] & 0x80 == 0, bytes[3] & 0x20 != 0, bytes[4] >= 7,
      bytes[5] & 0x10 != 0
    else { return nil }
    let base =
      Int64(bytes[6]) << 25 | Int64(bytes[7]) << 17 | Int64(bytes[8]) << 9 | Int64(bytes[9]) << 1
      | Int64(bytes[10]) >> 7
    return Clock(program: Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]), time: base)
  }
}
