import Bitstreams
import MediaFiles

/// The continuity counters of transport packets (ISO/IEC 13818-1, 2.4.3.3), where a reader takes a
/// break in them for a loss.
///
/// Each writer counts from zero, so that concatenated segments have a break between each two.
/// Nothing is missing there: a PES packet ends with stuffing, and the next begins.
struct TransportContinuity {
  private let file: FileBytes

  init(_ file: InputFile) { self.file = FileBytes(file) }

  /// No two pictures are farther apart.
  private static let longest: Int64 = 16 << 20

  /// Whether there are breaks in a section of the file, all of them between the end of one PES
  /// packet and the start of the next.
  ///
  /// - Parameter section: begins with a transport packet.
  func breaksBetweenPackets(ofPID pid: Int, in section: Range<Int64>) -> Bool {
    guard section.lowerBound >= 0, section.count <= Self.longest,
      let bytes = try? file.read(at: section.lowerBound, count: section.count),
      let (start, stride) = Self.packing(of: bytes)
    else { return false }
    var last: (counter: UInt8, endsStuffed: Bool)?
    var before: TransportPacket?
    var found = false
    var place = start
    while place + TransportPacket.size <= bytes.count {
      defer { place += stride }
      let whole = bytes[place..<place + TransportPacket.size]
      guard let packet = TransportPacket(whole) else { return false }
      guard packet.pid == pid else { continue }
      guard !packet.isDamaged else { return false }
      // A packet may be sent twice (2.4.3.3).
      if packet.hasPayload, let before, packet.repeats(before) { continue }
      before = packet
      if let last, !packet.isDiscontinuous,
        packet.counter != packet.expectedCounter(behind: last.counter)
      {
        guard packet.startsUnit, last.endsStuffed else { return false }
        found = true
      }
      last = (
        packet.counter, packet.hasPayload ? packet.isStuffed : last?.endsStuffed ?? false
      )
    }
    return found
  }

  /// Where the first packet begins and the distance to the next: with a time before each packet
  /// (192 bytes), or check bytes after it (204; FFmpeg reports an offset that much before the
  /// packet).
  static func packing(of bytes: [UInt8]) -> (start: Int, stride: Int)? {
    for (start, stride) in [(0, 188), (4, 192), (0, 192), (16, 204), (0, 204)]
    where bytes.count > start && bytes[start] == 0x47 {
      let next = start + stride
      if next >= bytes.count || bytes[next] == 0x47 { return (start, stride) }
    }
    return nil
  }
}
