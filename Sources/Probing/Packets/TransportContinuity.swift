import Bitstreams
import MediaFiles

/// The counters of transport packets (ISO/IEC 13818-1, 2.4.3.3), where a reader takes a break in them
/// for a loss.
///
/// Each writer counts from zero, so that segments put end to end have a break between every two of
/// them. Nothing is missing there: a PES packet ends with stuffing, and the next begins.
struct TransportContinuity {
  private let file: FileBytes

  init(_ file: InputFile) { self.file = FileBytes(file) }

  /// No two pictures are farther apart.
  private static let longest: Int64 = 16 << 20

  /// Whether there are breaks in a section of the file, and all of them lie between a PES packet that
  /// has ended and one that begins.
  ///
  /// - Parameter section: begins with a transport packet.
  func breaksBetweenPackets(ofPID pid: Int, in section: Range<Int64>) -> Bool {
    guard section.lowerBound >= 0, section.count <= Self.longest,
      let bytes = try? file.read(at: section.lowerBound, count: section.count),
      let (start, stride) = Self.packing(of: bytes)
    else { return false }
    var last: (counter: UInt8, endsStuffed: Bool)?
    var before: ArraySlice<UInt8> = []
    var found = false
    var place = start
    while place + TransportPacket.size <= bytes.count {
      defer { place += stride }
      let whole = bytes[place..<place + TransportPacket.size]
      guard let packet = TransportPacket(whole) else { return false }
      guard packet.pid == pid else { continue }
      guard !packet.isDamaged else { return false }
      // Sent twice (2.4.3.3).
      if packet.hasPayload, whole.elementsEqual(before) { continue }
      before = whole
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

  /// How far before and behind a step of the clock all counters are looked at.
  private static let reach: (before: Int64, behind: Int64) = (512 << 10, 128 << 10)

  /// Whether the counters of all PIDs go on over a section of the file, and nobody says that the clock
  /// begins anew (2.4.3.5): files put end to end have breaks in them where they meet.
  ///
  /// - Parameter section: from a packet of a stream up to its next one.
  func goesOn(over section: Range<Int64>) -> Bool {
    guard section.lowerBound >= 0, section.count <= Self.longest,
      let head = try? file.read(at: section.lowerBound, count: 256),
      let (_, stride) = Self.packing(of: head)
    else { return false }
    let before = min(section.lowerBound, Self.reach.before) / Int64(stride) * Int64(stride)
    let from = section.lowerBound - before
    let count = Int(section.upperBound - from + Self.reach.behind)
    guard let bytes = try? file.read(at: from, count: count),
      let (start, _) = Self.packing(of: bytes)
    else { return false }
    var last: [Int: ArraySlice<UInt8>] = [:]
    for place in Swift.stride(from: start, through: bytes.count - TransportPacket.size, by: stride)
    {
      let whole = bytes[place..<place + TransportPacket.size]
      guard let packet = TransportPacket(whole) else { return false }
      guard packet.pid != 0x1FFF else { continue }
      if packet.isDamaged || packet.isDiscontinuous { return false }
      if let before = last[packet.pid].flatMap({ TransportPacket($0) }),
        packet.counter != packet.expectedCounter(behind: before.counter),
        // Sent twice (2.4.3.3).
        packet.counter != before.counter || !packet.hasPayload
      {
        return false
      }
      last[packet.pid] = whole
    }
    return true
  }

  /// Where the first packet begins and how far it is to the next: with a time in front of each
  /// (192 bytes), or check bytes behind it (204; FFmpeg tells a place that much before the packet).
  private static func packing(of bytes: [UInt8]) -> (start: Int, stride: Int)? {
    for (start, stride) in [(0, 188), (4, 192), (0, 192), (16, 204), (0, 204)]
    where bytes.count > start && bytes[start] == 0x47 {
      let next = start + stride
      if next >= bytes.count || bytes[next] == 0x47 { return (start, stride) }
    }
    return nil
  }
}
