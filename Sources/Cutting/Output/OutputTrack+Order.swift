#if FFmpeg
  import ExactTime
  import Trimming

  extension [OutputTrack] {
    /// As a reader numbers them that no header lists them for: those whose description comes first, in the order in
    /// which it is written, then the others as their first packets are decoded.
    func numbered(by rules: ContainerRules, of source: any CutSource) -> [OutputTrack] {
      guard let described = rules.describedInFront else { return self }
      let isDescribed = { (track: OutputTrack) in described.contains(track.codec(in: source)) }
      return filter(isDescribed)
        + filter { !isDescribed($0) }.sorted { $0.firstDecoded < $1.firstDecoded }
    }
  }

  extension OutputTrack {
    /// Seconds on the output's timeline at which its first packet is decoded; zero where it has none.
    fileprivate var firstDecoded: Rational {
      let ticks = packets.first.flatMap { try? Rational($0.dts).subtracting(zero) }
      return ticks.flatMap { try? $0.multiplied(by: grid.secondsPerTick) } ?? .zero
    }
  }
#endif
