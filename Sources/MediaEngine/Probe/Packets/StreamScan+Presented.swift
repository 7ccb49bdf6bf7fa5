import ExactTime

extension StreamScan {
  /// What each epoch presents, on its own clock; `nil` for one that cannot be expressed or shows
  /// nothing.
  func presentedRanges() -> [MediaTimeRange?] {
    epochs.map { isVideo ? videoRange($0) : audioRange($0) }
  }

  private func videoRange(_ epoch: Epoch) -> MediaTimeRange? {
    let end = epoch.lastPTS + displayTicks(ofLastFrameIn: epoch)
    guard let from = try? grid.time(atTick: epoch.firstPTS), let to = try? grid.time(atTick: end)
    else { return nil }
    return MediaTimeRange(from: from, to: to)
  }

  /// How long the last frame is shown: its packet says, else as long as the one before.
  func displayTicks(ofLastFrameIn epoch: Epoch) -> Int64 {
    if epoch.lastDuration > 0 { return epoch.lastDuration }
    var second: Int64?
    for pts in epoch.pts where pts < epoch.lastPTS {
      if pts > second ?? .min { second = pts }
    }
    if let second { return epoch.lastPTS - second }
    return fallbackDuration ?? 0
  }

  private func audioRange(_ epoch: Epoch) -> MediaTimeRange? {
    do {
      let first = try grid.time(atTick: epoch.firstPTS)
      let last = try grid.time(atTick: epoch.lastPTS)
      guard let sampleRate, sampleRate > 0 else {
        let end = try last.advanced(by: grid.duration(ofTicks: epoch.lastDuration))
        return MediaTimeRange(from: first, to: end)
      }
      let rate = TickGrid(ticksPerSecond: sampleRate)
      let length: MediaDuration
      if let samples = epoch.lastSamples {
        length = try rate.duration(ofTicks: Int64(samples))
      } else {
        length = try grid.duration(ofTicks: epoch.lastDuration)
      }
      let start = try first.advanced(by: rate.duration(ofTicks: Int64(epoch.priming)))
      let end = try last.advanced(by: length)
        .moved(back: rate.duration(ofTicks: Int64(epoch.padding)))
      return MediaTimeRange(from: start, to: end)
    } catch {
      return nil
    }
  }
}
