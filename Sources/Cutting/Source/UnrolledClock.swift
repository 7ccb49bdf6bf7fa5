import ExactTime
import Probing
import Trimming

/// Puts a stream whose clock is reset mid-stream on one continuous clock: its stretches follow
/// one another as in the file (``ClockBeginning``).
struct UnrolledClock {
  /// Fine enough that every stretch moves by whole ticks, where that is possible.
  let grid: TickGrid
  /// The number of its ticks per tick of the stream.
  let multiple: Int64
  private let steps: [(packet: Int, ticks: Int64)]

  /// For 90 kHz and audio at 11.025 kHz it is 147.
  private static let mostMultiple: Int64 = 1 << 12

  /// `nil` for a clock that is not reset.
  init?(_ steps: [ClockStep], grid: TickGrid) throws(ExactTimeError) {
    guard !steps.isEmpty else { return nil }
    var multiple: Int64 = 1
    for step in steps {
      let ticks = try step.shift.seconds.divided(by: grid.secondsPerTick)
      let common = greatestCommonDivisor(
        UInt64(multiple), UInt64(ticks.denominator))
      let (product, overflow) = multiple.multipliedReportingOverflow(
        by: ticks.denominator / Int64(common))
      // If too fine, times are rounded to a tick.
      guard !overflow, product <= Self.mostMultiple else { continue }
      multiple = product
    }
    self.multiple = multiple
    self.grid = try TickGrid(
      secondsPerTick: grid.secondsPerTick.divided(by: Rational(multiple)))
    var found: [(packet: Int, ticks: Int64)] = []
    for step in steps {
      found.append(
        (step.packet, try self.grid.ticks(of: step.shift, rounding: .nearest)))
    }
    self.steps = found
  }

  /// Converts packet times to the continuous clock.
  ///
  /// - Parameter place: returns the place of a packet of the stream among them.
  func unroll(_ packets: inout ContiguousArray<CodedPacket>, place: (_ packet: Int) -> Int) {
    var ends = steps.dropFirst().map { place($0.packet) }
    ends.append(packets.count)
    for index in packets.indices {
      packets[index].pts &*= multiple
      packets[index].dts &*= multiple
      packets[index].duration &*= multiple
    }
    for (step, end) in zip(steps, ends) {
      let start = min(place(step.packet), packets.count)
      for index in start..<max(start, min(end, packets.count)) {
        packets[index].pts &+= step.ticks
        packets[index].dts &+= step.ticks
      }
    }
  }
}

extension ContiguousArray<CodedPacket> {
  /// False where a stretch begins with pictures of greater reorder depth than before.
  var isInDecodingOrder: Bool { zip(self, dropFirst()).allSatisfy { $0.dts < $1.dts } }
}
