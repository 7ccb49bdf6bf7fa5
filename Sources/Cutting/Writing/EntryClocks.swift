#if FFmpeg
  import Bitstreams
  import Libav
  import Synchronization

  /// An output of a transport stream in which the clock reference of each keyframe stands in packets of
  /// its own before it (ISO/IEC 13818-1, 2.4.3.3).
  ///
  /// VLC looks for references when it seeks, and goes on behind the packet that it finds. FFmpeg writes
  /// them into the keyframe's first packet, without which VLC waits for the next keyframe. It halves the
  /// way to the packet that it looks for, and stops before the last place that was too late: so there are
  /// two of them.
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

    /// Takes what a muxer writes that never goes back.
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
      // A packet without a payload has the number of the one before it.
      let number = (packet[3] &- 1) & 0x0F
      var reference: [UInt8] = [0x47, packet[1] & ~isStart, packet[2], hasAdaptation | number]
      reference += [UInt8(size - 5), hasClock] + clock
      reference += Array(repeating: 0xFF, count: size - reference.count)
      packets += reference
      // The next tick of 27 MHz; the last one of a tick of 90 kHz stays.
      if reference[10] & 1 == 0 { reference[11] &+= reference[11] < 0xFF ? 1 : 0 }
      packets += reference
      packet[5] &= ~hasClock
      packet.replaceSubrange(6..<12, with: repeatElement(0xFF, count: 6))
      packets += packet
    }
  }
#endif
