package import ExactTime

extension StreamScan {
  /// The range that each epoch presents, on its own clock; `nil` for one that cannot be expressed
  /// or shows nothing.
  package func presentedRanges() -> [MediaTimeRange?] {
    epochs.map { isVideo ? videoRange($0) : audioRange($0) }
  }

  private func videoRange(_ epoch: Epoch) -> MediaTimeRange? {
    guard epoch.pts.count > epoch.hiddenCount else { return nil }
    let end = epoch.lastPTS + displayTicks(ofLastFrameIn: epoch)
    guard let from = try? grid.time(atTick: epoch.firstPTS), let to = try? grid.time(atTick: end)
    else { return nil }
    return MediaTimeRange(from: from, to: to)
  }

  /// The duration of the last packet in ticks: never longer than what it decodes to, because a
  /// demuxer that does not know it uses the distance to the track's end.
  package func mediaTicks(ofLastPacketIn epoch: Epoch) -> Int64 {
    let stated = displayTicks(ofLastFrameIn: epoch)
    guard !isVideo, let samples = epoch.lastSamples, let sampleRate, sampleRate > 0,
      let length = try? TickGrid(ticksPerSecond: sampleRate).duration(ofTicks: Int64(samples)),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    else { return stated }
    return stated > 0 ? min(stated, ticks) : ticks
  }

  private func audioRange(_ epoch: Epoch) -> MediaTimeRange? {
    do {
      var grid = grid
      if let rate = epoch.sampleRate, rate != sampleRate, rate > 0 {
        grid = TickGrid(ticksPerSecond: rate)
      }
      let first = try grid.time(atTick: epoch.firstPTS)
      let last = try grid.time(atTick: epoch.lastPTS)
      guard let sampleRate = epoch.sampleRate ?? sampleRate, sampleRate > 0 else {
        let end = try last.advanced(by: grid.duration(ofTicks: soundTicks(ofLastPacketIn: epoch)))
        return MediaTimeRange(from: first, to: end)
      }
      let rate = TickGrid(ticksPerSecond: sampleRate)
      let start = try first.advanced(by: rate.duration(ofTicks: Int64(epoch.priming)))
      var end: MediaTime
      if let samples = epoch.lastSamples {
        end = try last.advanced(
          by: rate.duration(ofTicks: Int64(samples - epoch.padding)))
      } else {
        // Where only the container knows the duration, it has already removed the padding.
        end = try last.advanced(by: grid.duration(ofTicks: soundTicks(ofLastPacketIn: epoch)))
      }
      if let total = epoch.sampleTotal {
        // Ticks can be coarser than samples: where both agree, the samples are exact.
        var counted = try first.advanced(
          by: rate.duration(ofTicks: total - Int64(epoch.padding)))
        for (rate, count) in epoch.otherSamples {
          counted = try counted.advanced(
            by: TickGrid(ticksPerSecond: rate).duration(ofTicks: count))
        }
        let difference = try counted.distance(from: end).magnitude
        if isBare || difference.seconds <= grid.secondsPerTick { end = counted }
      }
      guard let range = MediaTimeRange(from: start, to: max(start, end)) else { return nil }
      return try range.moved(by: clockCorrection)
    } catch {
      return nil
    }
  }

  /// How long the last audio packet is heard, where it does not state it: to the end stated in the
  /// stream's header, if that is inside the packet.
  private func soundTicks(ofLastPacketIn epoch: Epoch) -> Int64 {
    if epoch.lastDuration != 0 || mayJump { return epoch.lastDuration }
    guard let distance = epoch.lastDistance else { return 0 }
    guard let statedEnd, statedEnd > epoch.lastPTS, statedEnd - epoch.lastPTS < distance else {
      return distance
    }
    return statedEnd - epoch.lastPTS
  }
}

extension MediaTimeRange {
  /// The same range, shifted.
  fileprivate func moved(by distance: MediaDuration) throws(ExactTimeError) -> MediaTimeRange? {
    guard distance != .zero else { return self }
    return MediaTimeRange(
      from: try start.advanced(by: distance), to: try end.advanced(by: distance))
  }
}

extension StreamScan {
  /// The instant of a tick of this stream; `nil` for one that cannot be expressed.
  package func time(_ tick: Int64) -> MediaTime? { try? grid.time(atTick: tick) }
}
