import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension CutSource {
  /// The number of packets that a decoder buffers before it outputs the first picture.
  ///
  /// Where the container stores only decoding times, the DTS show it. In other containers, DTS may be earlier
  /// than necessary.
  func slotsWaited(byTrack index: Int) -> Int {
    let packets = tracks[index].coded.packets
    let shown = packets.indices.sorted { (packets[$0].pts, $0) < (packets[$1].pts, $1) }
    let reordered = PictureSteps.reorderDepth(of: shown)
    guard facts.container.rules.storesOnlyDTS, let first = shown.first else {
      return reordered
    }
    return max(reordered, packets.prefix(16).count { $0.dts < packets[first].pts })
  }
}

extension OutputTrack {
  /// Sets the decoding times of reordered VFR video for AVI, which stores no PTS.
  ///
  /// A decoder outputs picture n when packet n + `wait` arrives, so that packet must be in the slot in which
  /// picture n is shown. The last `wait` pictures follow at the usual packet spacing.
  ///
  /// - Parameter delay: from the first decoding time to the first PTS, in ticks.
  /// - Throws: ``MediaError`` if the last pictures deviate from that by more than the container's
  ///   tolerance.
  mutating func spaceSlots(
    of source: any CutSource, delay: Int64, in rules: ContainerRules
  ) throws(MediaError) {
    let wait = source.slotsWaited(byTrack: self.source)
    let times = packets.map(\.pts).sorted()
    let steps = zip(times, times.dropFirst()).map { $1 &- $0 }
    guard wait > 0, let step = PictureSteps.typicalStep(of: times), step > 0 else { return }
    func differ(_ one: Int64, _ other: Int64) -> Bool {
      (one &- other).magnitude > step.magnitude / 2
    }
    let usualDelay = Int64(wait) &* step
    guard delay > 0 && differ(delay, usualDelay) || steps.contains(where: { differ($0, step) })
    else { return }
    // Any decoder delay that is not part of `delay` makes all pictures late relative to audio.
    let late = max(0, usualDelay &- delay)
    for place in packets.indices {
      packets[place].dts =
        place < wait
        ? times[0] &- delay &+ Int64(place) &* step : times[place - wait] &+ late
    }
    guard times.count > wait, let last = packets.last?.dts else { return }
    let instants = packets.map(\.dts)
    let usual =
      PictureSteps.usualStep(of: instants) ?? zip(instants, instants.dropFirst())
      .map { $1 &- $0 }.min() ?? step
    let tolerated = try? grid.ticks(of: rules.times.tolerance ?? .zero, rounding: .up)
    for (number, time) in times.suffix(wait).enumerated()
    where (time &+ late &- last &- Int64(number + 1) &* usual).magnitude
      > (tolerated ?? step).magnitude
    {
      throw MediaError(
        .notCuttable,
        "\(rules.ending) cannot store the durations of the last \(wait + 1) frames of reordered video, which differ here",
        hint: "Write .mkv, or end the range a few frames earlier or later.")
    }
  }
}
