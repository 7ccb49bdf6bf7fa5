import ExactTime
import Trimming

extension [OutputTrack] {
  /// The tracks as a reader numbers them where no header lists them: first those whose
  /// description is written first, in that order, then the others in order of their first
  /// packets' DTS.
  func numbered(by rules: ContainerRules, of source: any CutSource) -> [OutputTrack] {
    guard let described = rules.limits.describedInFront else { return self }
    let isDescribed = { (track: OutputTrack) in described.contains(track.codec(in: source)) }
    return filter(isDescribed)
      + filter { !isDescribed($0) }.sorted { $0.firstDecoded < $1.firstDecoded }
  }
}

extension OutputTrack {
  /// The DTS of the first packet in seconds on the output's timeline; zero for a track without
  /// packets.
  fileprivate var firstDecoded: Rational {
    let ticks = packets.first.flatMap { try? Rational($0.dts).subtracting(zero) }
    return ticks.flatMap { try? $0.multiplied(by: grid.secondsPerTick) } ?? .zero
  }
}
