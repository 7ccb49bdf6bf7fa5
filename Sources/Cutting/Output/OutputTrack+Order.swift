#if FFmpeg
  import ExactTime

  extension OutputTrack {
    /// Seconds on the output's timeline at which its first packet is decoded; zero where it has none.
    var firstDecoded: Rational {
      let ticks = packets.first.flatMap { try? Rational($0.dts).subtracting(zero) }
      return ticks.flatMap { try? $0.multiplied(by: grid.secondsPerTick) } ?? .zero
    }
  }
#endif
