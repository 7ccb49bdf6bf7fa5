import ExactTime
import MediaFacts

/// A long gap in a stream, in which no packet begins.
package struct StreamPause: Hashable, Sendable {
  /// The PTS of the packets before and after it, in the stream's ticks.
  package var from: Int64
  package var to: Int64
}

extension FileScan {
  /// A step forward of a stream's clock.
  struct Step {
    var stream: Int
    var pause: StreamPause
    /// Its byte range in the file, from a packet of the stream to the next one, if known.
    var section: Range<Int64>?
  }

  /// Merges epochs between which a stream only paused: no packet begins for a long time, but the
  /// clock continues.
  ///
  /// - Parameter goesOn: whether the clock continues over a step, where no other stream shows it;
  ///   called in file order.
  mutating func joinPauses(goesOn: (Step) -> Bool) {
    let joined = beginnings.map { beginning in
      guard let step = step(beginning) else { return false }
      return isPause(beginning) || isLeftStanding(beginning) && isShort(step) && goesOn(step)
    }
    join(joined) { scan, epochs in scan?.join(epochs) }
  }

  /// Merges epochs that are only a few packets with stray times with those around them, whose
  /// clock continues.
  mutating func joinStrays() {
    var strays: [Int: Set<Int>] = [:]
    for stream in followed { strays[stream] = self[stream]?.strayEpochs }
    let joined = beginnings.map { beginning in
      let strays = strays[beginning.stream, default: []]
      return strays.contains(beginning.epoch) || strays.contains(beginning.epoch - 1)
    }
    join(joined) { scan, epochs in scan?.join(strays: epochs) }
  }

  /// Merges epochs with the previous one of their stream.
  ///
  /// - Parameter body: does so for the epochs of one stream.
  private mutating func join(_ joined: [Bool], _ body: (inout StreamScan?, Set<Int>) -> Void) {
    guard joined.contains(true) else { return }
    // The new number of each epoch, by stream.
    var numbers: [Int: [Int]] = [:]
    var epochs: [Int: Set<Int>] = [:]
    for (beginning, isJoined) in zip(beginnings, joined) {
      let last = numbers[beginning.stream]?.last ?? -1
      numbers[beginning.stream, default: []].append(isJoined ? last : last + 1)
      if isJoined { epochs[beginning.stream, default: []].insert(beginning.epoch) }
    }
    for (stream, epochs) in epochs { _ = change(stream) { body(&$0, epochs) } }
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

  /// The step into an epoch; `nil` where it is not later than the previous epoch, at the same rate.
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

  /// Whether the next step does not undo this one, as after a damaged timestamp.
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
  /// Merges each of these epochs with the previous one.
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
  mutating func join(_ next: Self) {
    for var key in next.keys {
      key.decodeIndex += pts.count
      keys.append(key)
    }
    numbers = nil
    if stated != nil || next.stated != nil {
      stated = (stated ?? pts) + (next.stated ?? next.pts)
    }
    pts += next.pts
    packets += next.packets
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
