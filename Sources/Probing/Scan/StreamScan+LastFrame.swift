import ExactTime

extension StreamScan {
  /// How long the last frame is shown: as its packet states, else for the usual frame duration.
  package func displayTicks(ofLastFrameIn epoch: Epoch) -> Int64 {
    if let statedLastLength {
      // An edit may end it earlier.
      return epoch.lastDuration > 0 ? min(statedLastLength, epoch.lastDuration) : statedLastLength
    }
    if let repeatsOfLast, epochs.count == 1 { return 1 + repeatsOfLast }
    if countsChunks, let distance = lastDistance(in: epoch) {
      return chunkTicks(ofLastFrameIn: epoch, distance)
    }
    if epoch.lastDuration > 0 { return epoch.lastDuration }
    return held(epoch.pts.inPresentationOrder.usualDistance ?? fallbackDuration ?? 0, epoch.lastPTS)
  }

  /// The distance of the last frame from the previous one.
  private func lastDistance(in epoch: Epoch) -> Int64? {
    var second: Int64?
    for pts in epoch.pts where pts < epoch.lastPTS {
      if pts > second ?? .min { second = pts }
    }
    return second.map { epoch.lastPTS - $0 }
  }

  /// The duration of a last frame that empty chunks (AVI) or packets (Theora in Ogg) may extend.
  ///
  /// It ends where the stream's stated length ends, if it is then no longer than the previous
  /// frame; else it is as long as all other frames, where these are equal.
  private func chunkTicks(ofLastFrameIn epoch: Epoch, _ distance: Int64) -> Int64 {
    let least = max(1, epoch.lastDuration)
    if let statedEnd {
      let (stated, overflow) = statedEnd.subtractingReportingOverflow(epoch.lastPTS)
      if !overflow, stated >= least, stated <= distance { return stated }
    }
    let sorted = epoch.pts.inPresentationOrder
    let isEven = zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 == distance }
    return isEven ? max(least, distance) : least
  }

  /// Limits the duration of a last frame that states none: a distance of seconds is a pause before
  /// the frame, not a frame rate, so it is not shown for seconds beyond the end of everything else.
  private func held(_ distance: Int64, _ last: Int64) -> Int64 {
    guard let endOfOthers, endOfOthers > last,
      let second = try? grid.ticks(of: MediaDuration(1), rounding: .up),
      distance - (endOfOthers - last) > second
    else { return distance }
    return endOfOthers - last
  }
}
