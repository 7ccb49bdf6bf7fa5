import ExactTime
package import MediaFacts

extension FileScan {
  /// Tells each video stream where everything else ends, which may be the only indication of its
  /// last frame's duration.
  ///
  /// - Parameter declared: the duration stated in the container's header.
  package mutating func compareEnds(declared: DurationFact?) {
    var ends: [Int: MediaTime] = [:]
    // Stretches of a clock that was reset have separate ends, which are not stated anywhere.
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
