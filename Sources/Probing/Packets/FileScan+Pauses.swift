import ExactTime
import MediaFacts

/// Where nothing of a stream begins for long.
package struct StreamPause: Hashable, Sendable {
  /// When the last packet before it is shown and the first one behind it, in the stream's ticks.
  package var from: Int64
  package var to: Int64
}

extension FileScan {
  /// A step forward of a stream's clock.
  struct Step {
    var stream: Int
    var pause: StreamPause
    /// Where it lies in the file, from a packet of the stream up to its next one, if that is known.
    var section: Range<Int64>?
  }

  /// Makes one of each two epochs between which a stream only paused: nothing of it begins for long, but
  /// its clock goes on.
  ///
  /// - Parameter goesOn: whether the clock does over a step, where no other stream tells; asked in the order of
  ///   the file.
  mutating func joinPauses(goesOn: (Step) -> Bool) {
    let joined = beginnings.map { beginning in
      guard let step = step(beginning) else { return false }
      return isPause(beginning) || isLeftStanding(beginning) && isShort(step) && goesOn(step)
    }
    guard joined.contains(true) else { return }
    // The new number of each epoch, by stream.
    var numbers: [Int: [Int]] = [:]
    var epochs: [Int: Set<Int>] = [:]
    for (beginning, isJoined) in zip(beginnings, joined) {
      let last = numbers[beginning.stream]?.last ?? -1
      numbers[beginning.stream, default: []].append(isJoined ? last : last + 1)
      if isJoined { epochs[beginning.stream, default: []].insert(beginning.epoch) }
    }
    for (stream, epochs) in epochs { _ = change(stream) { $0?.join(epochs) } }
    beginnings = zip(beginnings, joined).filter { !$0.1 }.map(\.0).map { beginning in
      var beginning = beginning
      beginning.epoch = numbers[beginning.stream]?[beginning.epoch] ?? beginning.epoch
      for place in beginning.others.indices {
        let other = beginning.others[place]
        beginning.others[place].epoch = numbers[other.stream]?[other.epoch] ?? other.epoch
      }
      return beginning
    }
  }

  /// `nil` where an epoch does not go on later than the one before it, on the same grid.
  private func step(_ beginning: Beginning) -> Step? {
    guard let epochs = self[beginning.stream]?.epochs, beginning.epoch > 0 else { return nil }
    let (before, epoch) = (epochs[beginning.epoch - 1], epochs[beginning.epoch])
    guard epoch.isAhead, before.sampleRate == epoch.sampleRate, epoch.hiddenCount == 0 else {
      return nil
    }
    return Step(
      stream: beginning.stream, pause: StreamPause(from: before.lastPTS, to: epoch.firstPTS),
      section: beginning.section)
  }

  private func isShort(_ step: Step) -> Bool {
    guard let scan = self[step.stream], let from = scan.time(step.pause.from),
      let to = scan.time(step.pause.to), let length = try? to.distance(from: from)
    else { return false }
    return length <= ClockPause.longest
  }

  /// The next step does not take this one back, as behind a damaged time.
  private func isLeftStanding(_ beginning: Beginning) -> Bool {
    guard let scan = self[beginning.stream], beginning.epoch + 1 < scan.epochs.count,
      !scan.epochs[beginning.epoch + 1].isAhead,
      let before = scan.time(scan.epochs[beginning.epoch - 1].lastPTS),
      let next = scan.time(scan.epochs[beginning.epoch + 1].firstPTS),
      let distance = try? next.distance(from: before).checkedMagnitude()
    else { return true }
    return distance > Self.slack
  }
}

extension StreamScan {
  /// Makes one of each of these epochs and the one before it.
  fileprivate mutating func join(_ numbers: Set<Int>) {
    var joined: [Epoch] = []
    for (number, epoch) in epochs.enumerated() {
      guard numbers.contains(number), var last = joined.popLast() else {
        joined.append(epoch)
        continue
      }
      pauses.append(StreamPause(from: last.lastPTS, to: epoch.firstPTS))
      last.join(epoch)
      joined.append(last)
    }
    epochs = joined
  }
}

extension StreamScan.Epoch {
  fileprivate mutating func join(_ next: Self) {
    for var key in next.keys {
      key.decodeIndex += pts.count
      keys.append(key)
    }
    numbers = nil
    if stated != nil || next.stated != nil {
      stated = (stated ?? pts) + (next.stated ?? next.pts)
    }
    pts += next.pts
    firstPTS = min(firstPTS, next.firstPTS)
    if next.lastPTS >= lastPTS {
      lastDistance = next.lastDistance ?? (next.lastPTS &- lastPTS)
      lastPTS = next.lastPTS
      lastDuration = next.lastDuration
      lastSamples = next.lastSamples
      padding = next.padding
    }
    sampleTotal = sampleTotal.flatMap { total in next.sampleTotal.map { total &+ $0 } }
    otherSamples.merge(next.otherSamples, uniquingKeysWith: &+)
    hasNegativeDTS = hasNegativeDTS || next.hasNegativeDTS
    nextPTS = next.nextPTS
    lastDTS = next.lastDTS
    lastStatedDTS = next.lastStatedDTS
  }
}
