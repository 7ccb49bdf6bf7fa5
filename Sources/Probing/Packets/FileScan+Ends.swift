import ExactTime
package import MediaFacts

extension FileScan {
  /// Tells each stream of pictures where all else ends, which may be all that says how long its last
  /// frame is shown.
  ///
  /// - Parameter declared: the length that the container's header states.
  package mutating func compareEnds(declared: DurationFact?) {
    var ends: [Int: MediaTime] = [:]
    // Stretches of a clock that was reset have ends of their own, which nothing states.
    for stream in followed {
      guard let scan = self[stream], scan.epochs.count == 1 else { return }
      ends[stream] = scan.presentedRanges().first.flatMap { $0 }?.end
    }
    let stated =
      declared?.source == .containerHeader
      ? declared.flatMap { try? MediaTime.zero.advanced(by: $0.length) } : nil
    for stream in followed {
      let others = ends.filter { $0.key != stream }.map(\.value) + [stated].compactMap { $0 }
      guard let latest = others.max(),
        let tick = try? self[stream]?.grid.tick(of: latest, rounding: .nearest)
      else { continue }
      change(stream) { $0?.endOfOthers = tick }
    }
  }
}
