import Bitstreams
import ExactTime
import MediaFacts

/// The frames of one scanned video stream, on the file's timeline.
struct ScannedFrames {
  private let scan: StreamScan
  /// The stretch of the file's clock that each epoch belongs to.
  private let stretches: [Int]
  private let beginnings: [Int: ClockBeginning]

  /// - Parameter presented: what all tracks of the file present; a stretch of its clock begins
  ///   when the longest track of the previous one has ended.
  init(_ scan: StreamScan, stretches: [Int], presented: [PresentedTrack]) {
    self.scan = scan
    self.stretches = stretches
    beginnings = (try? ClockBeginning.all(of: presented, origin: .zero)) ?? [:]
  }

  /// Adds frame count, frame rate and GOPs to a track's facts.
  ///
  /// - Parameters:
  ///   - listsFrames: whether to list every frame's time and duration.
  ///   - listsKeyframes: whether to list every keyframe's time and number.
  func describe(_ track: inout TrackFacts, listsFrames: Bool, listsKeyframes: Bool) {
    track.frameCount = scan.epochs.reduce(0) { $0 + $1.pts.count - $1.hiddenCount }
    // Where the clock was reset, the longest stretch determines the rate.
    guard let epoch = scan.epochs.max(by: { $0.pts.count < $1.pts.count }) else { return }
    let spacing = FrameSpacing(
      times: epoch.pts.inPresentationOrder.dropFirst(epoch.hiddenCount), end: end(of: epoch),
      grid: scan.grid, stated: track.video?.nominalFrameRate)
    track.video?.nominalFrameRate = spacing.nominal
    track.video?.averageFrameRate = spacing.average
    // Times that were filled in say nothing about the source's spacing.
    track.video?.isConstantFrameRate =
      scan.untimedCount > 0 && spacing.isConstant == false
      ? nil : spacing.isConstant.map { $0 && isEven(at: spacing.nominal) }
    if listsFrames { track.shownFrames = shown }
    let summary = groups(listsKeyframes: listsKeyframes)
    track.gops = summary.gops
    track.keyframes = summary.keyframes
  }

  /// Whether a frame rate continues over every reset of the clock, to a tick: usually audio ends
  /// a stretch, so the next begins within a frame.
  private func isEven(at rate: Rational?) -> Bool {
    guard scan.epochs.count > 1, let rate else { return true }
    let frames = shown
    guard let first = frames.first?.time else { return true }
    return frames.enumerated().allSatisfy { number, frame in
      guard
        let count = try? frame.time.distance(from: first).seconds.multiplied(by: rate),
        let error = try? count.subtracting(Rational(Int64(number))).divided(by: rate),
        let distance = try? MediaDuration(seconds: error).checkedMagnitude()
      else { return false }
      return distance.seconds <= scan.grid.secondsPerTick
    }
  }

  /// Where the last frame of an epoch ends, in ticks.
  private func end(of epoch: StreamScan.Epoch) -> Int64 {
    epoch.lastPTS + scan.displayTicks(ofLastFrameIn: epoch)
  }

  private func beginning(ofEpoch number: Int) -> ClockBeginning? {
    number < stretches.count ? beginnings[stretches[number]] : nil
  }

  /// Every shown frame, each until the next one in its stretch.
  private var shown: [ShownFrame] {
    var frames: [ShownFrame] = []
    for (number, epoch) in scan.epochs.enumerated() {
      guard let beginning = beginning(ofEpoch: number) else { continue }
      let sorted = epoch.pts.inPresentationOrder.dropFirst(epoch.hiddenCount)
      for (start, stop) in zip(sorted, Array(sorted.dropFirst()) + [end(of: epoch)]) {
        guard let from = scan.time(start).flatMap({ try? beginning.onTimeline($0) }),
          let length = try? scan.grid.duration(ofTicks: max(0, stop - start))
        else { continue }
        frames.append(ShownFrame(time: from, duration: length))
      }
    }
    return frames
  }

  /// The GOPs of all stretches.
  private func groups(listsKeyframes: Bool) -> GOPSummary {
    var frames = 0
    var whole = GOPSummary()
    for (number, epoch) in scan.epochs.enumerated() {
      let sorted = epoch.pts.inPresentationOrder
      let beginning = beginning(ofEpoch: number)
      whole.append(
        GOPSummary(
          entries: epoch.keys, pts: epoch.pts, grid: scan.grid, end: end(of: epoch),
          lists: listsKeyframes,
          place: { tick in
            let time = scan.time(tick).flatMap { try? beginning?.onTimeline($0) }
            return (time, sorted.place(of: tick).map { $0 - epoch.hiddenCount + frames })
          }))
      frames += epoch.pts.count - epoch.hiddenCount
    }
    return whole
  }
}
