import Bitstreams
import Libav
import Synchronization

/// A transport stream output whose program map names Blu-ray's PCM: the registration descriptor `HDMV`
/// (ISO/IEC 13818-1, 2.6.8), and stream type 0x80 (Blu-ray Disc, part 3).
///
/// FFmpeg's muxer writes it as private data, unless in a mode in which it does not name AAC and others.
final class BluRayMap: CorrectedOutput {
  private let output: any CorrectedOutput
  /// The numbers of the streams with such PCM, in the order of the map.
  private let packed: Set<Int>
  private let state = Mutex(State())

  private struct State {
    var packets = TransportPackets()
    var end: Int64 = 0
  }

  /// FFmpeg's PID of the map.
  private static let pid = 0x1000
  private static let registration: [UInt8] = [0x05, 4] + Array("HDMV".utf8)
  private static let samples: UInt8 = 0x80

  init(_ output: any CorrectedOutput, packed: Set<Int>) {
    self.output = output
    self.packed = packed
  }

  func finish() throws(OutputFault) { try output.finish() }

  /// Takes sequential output of a muxer.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    let (place, packets) = state.withLock { state in
      var packets: [UInt8] = []
      packets.reserveCapacity(bytes.count)
      for packet in state.packets.add(bytes) { packets += named(packet) }
      defer { state.end += Int64(packets.count) }
      return (state.end, packets)
    }
    try output.write(packets, at: place)
  }

  /// The packet with the streams named, if it holds the whole map.
  private func named(_ packet: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(packet)
    // pointer_field is zero; table_id 2 and section_length follow (2.4.4.8).
    guard let header = TransportPacket(packet), header.pid == Self.pid, header.startsUnit,
      bytes[3] & 0x30 == 0x10, bytes[4] == 0, bytes[5] == 2
    else { return bytes }
    let length = Int(bytes[6] & 0x0F) << 8 | Int(bytes[7])
    let infoLength = Int(bytes[15] & 0x0F) << 8 | Int(bytes[16])
    let added = Self.registration.count
    // The section begins at 5, and its length counts from 8; CRC_32 has four bytes.
    let end = 8 + length - 4
    guard end + 4 + added <= bytes.count, 17 + infoLength <= end else { return bytes }
    var streams = Array(bytes[17 + infoLength..<end])
    var (place, number) = (0, 0)
    while place + 5 <= streams.count {
      if packed.contains(number) { streams[place] = Self.samples }
      place += 5 + (Int(streams[place + 3] & 0x0F) << 8 | Int(streams[place + 4]))
      number += 1
    }
    var section = Array(bytes[5..<17]) + Self.registration + bytes[17..<17 + infoLength] + streams
    let (newLength, newInfo) = (length + added, infoLength + added)
    section[1] = section[1] & 0xF0 | UInt8(newLength >> 8)
    section[2] = UInt8(newLength & 0xFF)
    section[10] = section[10] & 0xF0 | UInt8(newInfo >> 8)
    section[11] = UInt8(newInfo & 0xFF)
    let sum = Checksum.crc32(section[...], from: .max)
    section += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    let made = bytes[..<5] + section
    return Array(made) + Array(repeating: 0xFF, count: bytes.count - made.count)
  }
}
