#if FFmpeg
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

    private static let size = 188
    /// Of ISO/IEC 13818-1, 2.4.2.1: 33 bits of 90 kHz, each of 300 ticks.
    private static let clockPeriod: Int64 = (1 << 33) * 300
    /// A packet of 188 bytes at 48 Mbit/s, in ticks of 27 MHz.
    private static let leastDistance: Int64 = 846

    private struct State {
      /// The beginning of a packet that is not complete yet.
      var rest: [UInt8] = []
      /// The packets from that of the last PCR on.
      var waiting: [UInt8] = []
      /// When that packet arrives; `nil` before the first.
      var last: Int64?
      var distance = ArrivalTimes.leastDistance
      var end: Int64 = 0

      var count: Int64 { Int64(waiting.count / ArrivalTimes.size) }
    }

    init(_ output: any ByteOutput) { self.output = output }

    /// Takes what a muxer writes that never goes back.
    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      let packets = state.withLock { state in
        state.rest += bytes
        let whole = state.rest.prefix(state.rest.count / Self.size * Self.size)
        state.rest.removeFirst(whole.count)
        return whole
      }
      for start in stride(from: 0, to: packets.count, by: Self.size) {
        let packet = packets[start..<start + Self.size]
        if let clock = Self.clock(of: Array(packet)) { try reach(clock) }
        state.withLock { $0.waiting += packet }
      }
    }

    func finish() throws(OutputFault) {
      try writeWaiting(from: state.withLock { $0.last ?? 0 })
    }

    /// The next PCR: the packets before it arrived up to then.
    private func reach(_ clock: Int64) throws(OutputFault) {
      let (last, count) = state.withLock { ($0.last, $0.count) }
      guard let last else {
        try writeWaiting(from: clock - count * Self.leastDistance)
        return state.withLock { $0.last = clock }
      }
      let gap = (clock - last % Self.clockPeriod + Self.clockPeriod) % Self.clockPeriod
      // Half a period is one back: the burst before it has come this far already.
      let distance = gap > Self.clockPeriod / 2 ? 0 : gap / max(1, count)
      state.withLock { $0.distance = max(Self.leastDistance, distance) }
      try writeWaiting(from: last)
      state.withLock {
        $0.last = distance < Self.leastDistance ? last + count * Self.leastDistance : last + gap
      }
    }

    private func writeWaiting(from first: Int64) throws(OutputFault) {
      let (made, end) = state.withLock { state in
        var made: [UInt8] = []
        made.reserveCapacity(state.waiting.count + 4 * Int(state.count))
        for number in 0..<Int(state.count) {
          let time = first + Int64(number) * state.distance
          made += withUnsafeBytes(of: (UInt32(truncatingIfNeeded: time) & 0x3FFF_FFFF).bigEndian) {
            Array($0)
          }
          made += state.waiting[number * Self.size..<(number + 1) * Self.size]
        }
        state.waiting.removeAll(keepingCapacity: true)
        defer { state.end += Int64(made.count) }
        return (made, state.end)
      }
      if !made.isEmpty { try output.write(made, at: end) }
    }

    /// The PCR of a packet, in ticks of 27 MHz (ISO/IEC 13818-1, 2.4.3.5).
    private static func clock(of packet: [UInt8]) -> Int64? {
      guard packet[3] & 0x20 != 0, packet[4] >= 7, packet[5] & 0x10 != 0 else { return nil }
      let field = packet[6..<12].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      return field >> 15 * 300 + field & 0x1FF
    }
  }
#endif
