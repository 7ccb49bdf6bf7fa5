import ExactTime

extension OutputTrack {
  /// The track with its first two pictures decoded a little earlier, if that makes the mean of
  /// all samples but the first a common frame rate.
  ///
  /// GStreamer takes that mean as the frame rate of an MP4 if it is within 0.1 % of a multiple of
  /// 1, 1/2, 1/3, 1/4 or 1000/1001. Otherwise it takes the tick of H.264's SPS as the duration of
  /// every picture, which for variable frame rates is thousands of times too short, and shows the
  /// next one after a seek.
  ///
  /// - Parameter lastLength: duration of the last sample in ticks, as written.
  func withUsualMeanRate(lastLength: Int64) -> OutputTrack {
    guard video != nil, packets.count > 2, packets[0].pts > packets[0].dts,
      let earlier = ticksToUsualRate(lastLength: lastLength),
      earlier > 0, earlier <= longestStep
    else { return self }
    var result = self
    for place in 0..<2 { result.packets[place].dts -= earlier }
    return result
  }

  private var longestStep: Int64 {
    zip(packets, packets.dropFirst()).map { $1.dts &- $0.dts }.max() ?? 0
  }

  /// Ticks by which all samples but the first are too short in total for the next lower common
  /// rate.
  private func ticksToUsualRate(lastLength: Int64) -> Int64? {
    let tick = grid.secondsPerTick
    let last = packets.count - 1
    let length = Int128(packets[last].dts) + Int128(lastLength) - Int128(packets[1].dts)
    let count = Int128(last)
    guard length > 0 else { return nil }
    var least: Int128?
    for (whole, part) in [(1, 1), (1, 2), (1, 3), (1, 4), (1000, 1001)] as [(Int128, Int128)] {
      // Total time at one picture per `part` seconds, divided by the seconds of a tick.
      let ticks = count * part * Int128(tick.denominator) / Int128(tick.numerator)
      let rate = ticks / length / whole * whole
      for rate in [rate, rate + whole] where rate > 0 {
        let wanted = ticks / rate
        // Half of GStreamer's tolerance, so that rounding does no harm.
        let slack = wanted / 2000
        guard wanted + slack >= length else { continue }
        least = min(least ?? .max, max(0, wanted - slack - length))
      }
    }
    return least.flatMap { Int64(exactly: $0) }
  }
}
