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
    while place + 188 <= bytes.count {
      defer { place += stride }
      let packet = TransportPacket(bytes[place..<place + 188])
      guard let packet else { return false }
      guard packet.pid == pid else { continue }
      guard !packet.isDamaged else { return false }
      // Sent twice (2.4.3.3).
      if packet.hasPayload, bytes[place..<place + 188].elementsEqual(before) { continue }
      before = bytes[place..<place + 188]
      if let last, !packet.isDiscontinuous, packet.counter != packet.expected(behind: last.counter)
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

/// The header of a transport packet (ISO/IEC 13818-1, 2.4.3.2 to 2.4.3.5).
private struct TransportPacket {
  let pid: Int
  let isDamaged: Bool
  let startsUnit: Bool
  let hasPayload: Bool
  let counter: UInt8
  /// Its writer says that counters break here.
  var isDiscontinuous = false
  /// Filled up, since what it carries ends.
  var isStuffed = false

  init?(_ bytes: ArraySlice<UInt8>) {
    let at = bytes.startIndex
    guard bytes.count == 188, bytes[at] == 0x47 else { return nil }
    isDamaged = bytes[at + 1] & 0x80 != 0
    startsUnit = bytes[at + 1] & 0x40 != 0
    pid = Int(bytes[at + 1] & 0x1F) << 8 | Int(bytes[at + 2])
    hasPayload = bytes[at + 3] & 0x10 != 0
    counter = bytes[at + 3] & 0xF
    guard bytes[at + 3] & 0x20 != 0 else { return }
    let length = Int(bytes[at + 4])
    guard length > 0 else {
      isStuffed = true
      return
    }
    let flags = bytes[at + 5]
    isDiscontinuous = flags & 0x80 != 0
    var used = 1
    if flags & 0x10 != 0 { used += 6 }
    if flags & 0x08 != 0 { used += 6 }
    if flags & 0x04 != 0 { used += 1 }
    for flag in [UInt8(0x02), 0x01] where flags & flag != 0 && used < min(length, 182) {
      used += 1 + Int(bytes[at + 5 + used])
    }
    isStuffed = used < length
  }

  func expected(behind last: UInt8) -> UInt8 { hasPayload ? (last + 1) & 0xF : last }
}
