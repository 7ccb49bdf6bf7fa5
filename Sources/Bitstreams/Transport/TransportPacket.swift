/// A packet of a transport stream: 188 bytes that begin with 0x47 (ISO/IEC 13818-1, 2.4.3.2 to 2.4.3.5).
package struct TransportPacket {
  package static let size = 188
  /// A PCR wraps after 33 bits at 90 kHz, each with 300 ticks of 27 MHz (2.4.2.1).
  package static let clockPeriod: Int64 = (1 << 33) * 300

  private let bytes: ArraySlice<UInt8>

  /// - Returns: `nil` for bytes that are not such a packet.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size, bytes.first == 0x47 else { return nil }
    self.bytes = bytes
  }

  private subscript(offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

  package var pid: Int { Int(self[1] & 0x1F) << 8 | Int(self[2]) }
  package var isDamaged: Bool { self[1] & 0x80 != 0 }
  package var startsUnit: Bool { self[1] & 0x40 != 0 }
  package var hasPayload: Bool { self[3] & 0x10 != 0 }
  package var counter: UInt8 { self[3] & 0xF }

  /// The continuity counter of the next packet of a PID; without a payload, it does not increment.
  package func expectedCounter(behind last: UInt8) -> UInt8 {
    hasPayload ? (last + 1) & 0xF : last
  }

  /// Whether it is a duplicate of another packet (2.4.3.3): equal except for its PCR.
  package func repeats(_ other: Self) -> Bool {
    guard clock != nil else { return bytes.elementsEqual(other.bytes) }
    return bytes.prefix(6).elementsEqual(other.bytes.prefix(6))
      && bytes.dropFirst(12).elementsEqual(other.bytes.dropFirst(12))
  }

  /// Length of the adaptation field after its first byte; `nil` if there is none.
  private var adaptationLength: Int? { self[3] & 0x20 != 0 ? Int(self[4]) : nil }

  private var flags: UInt8 { adaptationLength.map { $0 > 0 } == true ? self[5] : 0 }

  /// The discontinuity indicator: the continuity counter or the clock is reset here.
  package var isDiscontinuous: Bool { flags & 0x80 != 0 }
  /// The random access indicator: decoding may start here.
  package var isEntry: Bool { flags & 0x40 != 0 }

  /// Its PCR, in 27 MHz ticks.
  package var clock: Int64? {
    guard flags & 0x10 != 0, adaptationLength.map({ $0 >= 7 }) == true else { return nil }
    let field = (6..<12).reduce(Int64(0)) { $0 << 8 | Int64(self[$1]) }
    return field >> 15 * 300 + field & 0x1FF
  }

  /// Whether it has stuffing, since the PES packet ends in it.
  package var isStuffed: Bool {
    guard let length = adaptationLength else { return false }
    guard length > 0 else { return true }
    var used = 1
    if flags & 0x10 != 0 { used += 6 }
    if flags & 0x08 != 0 { used += 6 }
    if flags & 0x04 != 0 { used += 1 }
    // Private data, and the extension.
    if flags & 0x02 != 0, used < min(length, 182) { used += 1 + Int(self[5 + used]) }
    if flags & 0x01 != 0, used < min(length, 182) { used += 1 + Int(self[5 + used]) }
    return used < length
  }
}

/// Assembles whole packets from pieces of any length.
package struct TransportPackets {
  /// The beginning of a packet that is not complete yet.
  private var rest: [UInt8] = []

  package init() {}

  /// The packets that these bytes complete, in order.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) -> [ArraySlice<UInt8>] {
    rest += bytes
    let end = rest.count / TransportPacket.size * TransportPacket.size
    let whole = rest.prefix(end)
    rest.removeFirst(end)
    return stride(from: 0, to: end, by: TransportPacket.size).map {
      whole[$0..<$0 + TransportPacket.size]
    }
  }
}
