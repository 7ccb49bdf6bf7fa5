import Bitstreams
import MediaFiles

/// Where the continuity counters of a transport stream break, or a discontinuity is signaled
/// (ISO/IEC 13818-1, 2.4.3.3 and 2.4.3.5).
///
/// Concatenated files have breaks where they meet. Sections requested in file order are read once.
struct TransportCounters {
  private let file: FileBytes
  /// The range read without a gap: all packets that begin in it.
  private var known: Range<Int64> = 0..<0
  /// The byte offsets of breaks, ascending.
  private var breaks: [Int64] = []
  /// The last packet of each PID.
  private var last: [Int: ArraySlice<UInt8>] = [:]

  init(_ file: InputFile) { self.file = FileBytes(file) }

  /// How far before and after a section breaks are searched for.
  private static let reach: (before: Int64, behind: Int64) = (512 << 10, 128 << 10)
  /// No section of a valid file is longer: no two pictures are farther apart.
  private static let longest: Int64 = 16 << 20
  private static let portion = 1 << 20
  private static let nullPID = 0x1FFF

  /// Whether nothing breaks around a section of the file.
  ///
  /// - Parameter section: begins with a transport packet.
  mutating func goesOn(over section: Range<Int64>) -> Bool {
    guard section.lowerBound >= 0, section.count <= Self.longest,
      let head = try? file.read(at: section.lowerBound, count: 256),
      let (start, stride) = TransportContinuity.packing(of: head)
    else { return false }
    let step = Int64(stride)
    let first = section.lowerBound + Int64(start)
    let from = first - min(first, Self.reach.before) / step * step
    let end = min(file.byteCount, section.upperBound + Self.reach.behind)
    if !(known.lowerBound...known.upperBound).contains(from) { begin(at: from) }
    guard read(to: end, step) else { return false }
    return breaks.last { $0 < end }.map { $0 < from } ?? true
  }

  private mutating func begin(at place: Int64) {
    known = place..<place
    breaks = []
    last = [:]
  }

  /// - Returns: false where there are no packets.
  private mutating func read(to end: Int64, _ stride: Int64) -> Bool {
    while known.upperBound + Int64(TransportPacket.size) <= end {
      guard let bytes = try? file.read(at: known.upperBound, count: Self.portion),
        bytes.count >= TransportPacket.size
      else { return false }
      var place = 0
      while place + TransportPacket.size <= bytes.count {
        let whole = bytes[place..<place + TransportPacket.size]
        // Other bytes may follow the requested range.
        guard let packet = TransportPacket(whole) else { return known.upperBound >= end }
        if isBreak(packet, whole) { breaks.append(known.upperBound) }
        known = known.lowerBound..<known.upperBound + stride
        place += Int(stride)
      }
    }
    return true
  }

  private mutating func isBreak(_ packet: TransportPacket, _ whole: ArraySlice<UInt8>) -> Bool {
    guard packet.pid != Self.nullPID else { return false }
    // A copy: a slice would retain everything that was read with it.
    defer { last[packet.pid] = Array(whole)[...] }
    if packet.isDamaged { return true }
    guard let bytes = last[packet.pid], let before = TransportPacket(bytes) else {
      // Many muxers signal one in the first packet of each PID.
      return packet.isDiscontinuous && known.lowerBound > 0
    }
    if packet.isDiscontinuous { return true }
    guard packet.counter != packet.expectedCounter(behind: before.counter) else { return false }
    return !(packet.hasPayload && packet.repeats(before))
  }
}
