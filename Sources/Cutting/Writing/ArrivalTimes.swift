import Bitstreams
import Libav
import Synchronization

/// A transport stream output with an arrival timestamp before each packet, as in Blu-ray and
/// AVCHD: two bits of copy permission and thirty bits of a 27 MHz clock.
///
/// A packet with a PCR arrives at that time, and those between two PCRs are evenly spaced, but no
/// faster than players must accept, at 48 Mbit/s: after such a burst, the next PCR arrives later
/// than it states.
final class ArrivalTimes: CorrectedOutput {
  private let output: any ByteOutput
  private let state = Mutex(State())

  private static let size = TransportPacket.size
  private static let clockPeriod = TransportPacket.clockPeriod
  /// Duration of a 188-byte packet at 48 Mbit/s, in ticks of 27 MHz.
  private static let leastDistance: Int64 = 846

  private struct State {
    var packets = TransportPackets()
    /// The packets since the one with the last PCR.
    var waiting: [UInt8] = []
    /// When that packet arrives; `nil` before the first.
    var last: Int64?
    /// Spacing of the packets before that one.
    var distance = ArrivalTimes.leastDistance
    var end: Int64 = 0

    var count: Int64 { Int64(waiting.count / ArrivalTimes.size) }
  }

  init(_ output: any ByteOutput) { self.output = output }

  /// Takes sequential output of a muxer.
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

  /// Handles the next PCR: the packets before it arrive by then.
  private static func reach(_ clock: Int64, _ state: inout State) -> [UInt8] {
    let count = state.count
    guard let last = state.last else {
      state.last = clock
      return take(&state, from: clock - count * leastDistance)
    }
    let gap = (clock - last % clockPeriod + clockPeriod) % clockPeriod
    // A gap over half a period means the PCR went backward: the burst before it has reached this
    // time.
    let distance = gap > clockPeriod / 2 ? 0 : gap / max(1, count)
    state.last = distance < leastDistance ? last + count * leastDistance : last + gap
    state.distance = max(leastDistance, distance)
    return take(&state, from: last)
  }

  /// The waiting packets, each with its arrival time.
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
