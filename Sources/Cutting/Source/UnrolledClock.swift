#if FFmpeg
  import ExactTime
  import Probing
  import Trimming

  /// A stream whose clock is reset in the middle, on one clock: its stretches follow one another as the
  /// file's do (``ClockBeginning``).
  struct UnrolledClock {
    /// Fine enough that every stretch moves by whole ticks, where that is possible.
    let grid: TickGrid
    /// How many of its ticks are one of the stream's.
    let multiple: Int64
    private let steps: [(packet: Int, ticks: Int64)]

    /// Of 90 kHz and sound of 11.025 kHz it is 147.
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
        // Rounded to a tick, then.
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

    /// Gives packets their times on the one clock.
    ///
    /// - Parameter place: where a packet of the stream stands among them.
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
    /// False where a stretch begins with pictures that are reordered more than those before it.
    var isInDecodingOrder: Bool { zip(self, dropFirst()).allSatisfy { $0.dts < $1.dts } }
  }
#endif
