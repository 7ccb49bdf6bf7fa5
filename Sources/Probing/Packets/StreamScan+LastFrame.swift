import ExactTime

extension StreamScan {
  /// How long the last frame is shown: its packet says, else as long as frames of the track are.
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

  /// How far the last frame lies behind the one before.
  private func lastDistance(in epoch: Epoch) -> Int64? {
    var second: Int64?
    for pts in epoch.pts where pts < epoch.lastPTS {
      if pts > second ?? .min { second = pts }
    }
    return second.map { epoch.lastPTS - $0 }
  }

  /// AVI counts chunks and Ogg packets of Theora, and empty ones between frames and behind the last make
  /// these last longer: to the end that the stream's length states, if it is no further than the frame before was; else
  /// as long as every other frame, where all are alike.
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

  /// A distance of seconds is a pause before the last frame, no rate at which frames come: what does
  /// not say how long it is shown is then not shown for seconds beyond the end of all else.
  private func held(_ distance: Int64, _ last: Int64) -> Int64 {
    guard let endOfOthers, endOfOthers > last,
      let second = try? grid.ticks(of: MediaDuration(1), rounding: .up),
      distance - (endOfOthers - last) > second
    else { return distance }
    return endOfOthers - last
  }
}
