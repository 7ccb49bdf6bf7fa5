#if FFmpeg
  import Bitstreams
  import Libav
  import Synchronization

  /// An output of a transport stream with an arrival timestamp before each packet, as Blu-ray and AVCHD have
  /// it: two bits of copy permission and thirty of a clock of 27 MHz.
  ///
  /// A packet with a PCR arrives at that time, and those between two PCRs at even distances, but no faster
  /// than a player must take them, at 48 Mbit/s: behind a burst of them the next PCR comes later than it says.
  final class ArrivalTimes: CorrectedOutput {
    private let output: any ByteOutput
    private let state = Mutex(State())

    private static let size = TransportPacket.size
    private static let clockPeriod = TransportPacket.clockPeriod
    /// A packet of 188 bytes at 48 Mbit/s, in ticks of 27 MHz.
    private static let leastDistance: Int64 = 846

    private struct State {
      var packets = TransportPackets()
      /// The packets from that of the last PCR on.
      var waiting: [UInt8] = []
      /// When that packet arrives; `nil` before the first.
      var last: Int64?
      /// Between the packets before that one.
      var distance = ArrivalTimes.leastDistance
      var end: Int64 = 0

      var count: Int64 { Int64(waiting.count / ArrivalTimes.size) }
    }

    init(_ output: any ByteOutput) { self.output = output }

    /// Takes what a muxer writes that never goes back.
    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      let (made, end) = state.withLock { state in
        var made: [UInt8] = []
        for packet in state.packets.add(bytes) {
          if let clock = TransportPacket(packet)?.clock { made += Self.reach(clock, &state) }
          state.waiting += packet
        }
        defer { state.end += Int64(made.count) }
        return (made, state.end)
      }
      if !made.isEmpty { try output.write(made, at: end) }
    }

    func finish() throws(OutputFault) {
      let (made, end) = state.withLock { state in
        (Self.take(&state, from: state.last ?? 0), state.end)
      }
      if !made.isEmpty { try output.write(made, at: end) }
    }

    /// The next PCR: the packets before it arrived up to then.
    private static func reach(_ clock: Int64, _ state: inout State) -> [UInt8] {
      let count = state.count
      guard let last = state.last else {
        state.last = clock
        return take(&state, from: clock - count * leastDistance)
      }
      let gap = (clock - last % clockPeriod + clockPeriod) % clockPeriod
      // Half a period is one back: the burst before it has come this far already.
      let distance = gap > clockPeriod / 2 ? 0 : gap / max(1, count)
      state.last = distance < leastDistance ? last + count * leastDistance : last + gap
      state.distance = max(leastDistance, distance)
      return take(&state, from: last)
    }

    /// The packets that wait, each with the time of its arrival.
    private static func take(_ state: inout State, from first: Int64) -> [UInt8] {
      var made: [UInt8] = []
      made.reserveCapacity(state.waiting.count + 4 * Int(state.count))
      for number in 0..<Int(state.count) {
        let time = first + Int64(number) * state.distance
        made += withUnsafeBytes(of: (UInt32(truncatingIfNeeded: time) & 0x3FFF_FFFF).bigEndian) {
          Array($0)
        }
        made += state.waiting[number * size..<(number + 1) * size]
      }
      state.waiting.removeAll(keepingCapacity: true)
      return made
    }
  }
#endif
