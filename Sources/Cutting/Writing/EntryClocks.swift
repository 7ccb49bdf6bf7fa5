import Bitstreams
import Libav
import Synchronization

/// A transport stream output in which the PCR of each keyframe is in separate packets before it
/// (ISO/IEC 13818-1, 2.4.3.3).
///
/// When seeking, VLC looks for PCRs and continues after the packet that it finds. FFmpeg writes
/// them into the keyframe's first packet, and without that packet VLC waits for the next
/// keyframe. VLC searches by bisection and stops before the last position that was too late: so
/// two of them are written.
final class EntryClocks: CorrectedOutput {
  private let output: any CorrectedOutput
  private let state = Mutex(State())

  private struct State {
    var packets = TransportPackets()
    var end: Int64 = 0
  }

  private static let size = TransportPacket.size
  private static let isStart: UInt8 = 0x40
  private static let hasAdaptation: UInt8 = 0x20
  private static let hasClock: UInt8 = 0x10

  init(_ output: any CorrectedOutput) { self.output = output }

  func finish() throws(OutputFault) { try output.finish() }

  /// Takes sequential output of a muxer.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    let (place, packets) = state.withLock { state in
      var packets: [UInt8] = []
      packets.reserveCapacity(bytes.count + 8 * Self.size)
      for packet in state.packets.add(bytes) { Self.add(packet, to: &packets) }
      defer { state.end += Int64(packets.count) }
      return (state.end, packets)
    }
    try output.write(packets, at: place)
  }

  private static func add(_ packet: ArraySlice<UInt8>, to packets: inout [UInt8]) {
    guard let header = TransportPacket(packet), header.startsUnit, header.isEntry,
      header.clock != nil
    else {
      packets += packet
      return
    }
    var packet = Array(packet)
    let clock = packet[6..<12]
    // A packet without a payload repeats the continuity counter of the previous one.
    let number = (packet[3] &- 1) & 0x0F
    var reference: [UInt8] = [0x47, packet[1] & ~isStart, packet[2], hasAdaptation | number]
    reference += [UInt8(size - 5), hasClock] + clock
    reference += Array(repeating: 0xFF, count: size - reference.count)
    packets += reference
    // The next tick of 27 MHz; the last one within a 90 kHz tick stays.
    if reference[10] & 1 == 0 { reference[11] &+= reference[11] < 0xFF ? 1 : 0 }
    packets += reference
    packet[5] &= ~hasClock
    packet.replaceSubrange(6..<12, with: repeatElement(0xFF, count: 6))
    packets += packet
  }
}
