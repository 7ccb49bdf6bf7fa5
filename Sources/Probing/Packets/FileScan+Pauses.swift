import ExactTime

extension FileScan {
  /// Makes one of each two epochs between which a stream only paused: nothing of it begins for long, but
  /// its clock goes on.
  ///
  /// - Parameter goesOn: whether the clock does over a pause of a length, in a section of the file from a packet
  ///   of a stream up to its next one, if that is known, where no other stream tells.
  mutating func joinPauses(
    goesOn: (_ section: Range<Int64>?, _ length: MediaDuration) -> Bool
  ) {
    let joined = beginnings.map { beginning in
      isForward(beginning)
        && (isPause(beginning)
          || isLeftStanding(beginning) && goesOn(beginning.section, length(beginning)))
    }
    guard joined.contains(true) else { return }
    // The new number of each epoch, by stream.
    var numbers: [Int: [Int]] = [:]
    for (beginning, isJoined) in zip(beginnings, joined) {
      let last = numbers[beginning.stream]?.last ?? -1
      numbers[beginning.stream, default: []].append(isJoined ? last : last + 1)
    }
    for (beginning, isJoined) in zip(beginnings, joined).reversed() where isJoined {
      _ = change(beginning.stream) { $0?.joinEpoch(beginning.epoch) }
    }
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

  /// An epoch goes on where the one before it ended or later, on the same grid.
  private func isForward(_ beginning: Beginning) -> Bool {
    guard let epochs = self[beginning.stream]?.epochs, beginning.epoch > 0 else { return false }
    let (before, epoch) = (epochs[beginning.epoch - 1], epochs[beginning.epoch])
    return epoch.isAhead && before.sampleRate == epoch.sampleRate && epoch.hiddenCount == 0
  }

  private func length(_ beginning: Beginning) -> MediaDuration {
    guard let scan = self[beginning.stream], beginning.epoch > 0,
      let from = scan.time(scan.epochs[beginning.epoch - 1].lastPTS),
      let to = scan.time(scan.epochs[beginning.epoch].firstPTS)
    else { return .zero }
    return (try? to.distance(from: from)) ?? .zero
  }

  /// The step is not taken back by the next one, as that of a damaged time is.
  private func isLeftStanding(_ beginning: Beginning) -> Bool {
    guard let epochs = self[beginning.stream]?.epochs, beginning.epoch + 1 < epochs.count else {
      return true
    }
    return epochs[beginning.epoch + 1].isAhead
  }
}

extension StreamScan {
  /// Makes one of an epoch and the one before it.
  fileprivate mutating func joinEpoch(_ number: Int) {
    let next = epochs.remove(at: number)
    epochs[number - 1].join(next)
    pauseCount += 1
  }
}

extension StreamScan.Epoch {
  fileprivate mutating func join(_ next: Self) {
    keys += next.keys.map { key in
      var key = key
      key.decodeIndex += pts.count
      return key
    }
    pts += next.pts
    firstPTS = min(firstPTS, next.firstPTS)
    if next.lastPTS >= lastPTS {
      lastDistance = next.lastDistance ?? (next.lastPTS - lastPTS)
      lastPTS = next.lastPTS
      lastDuration = next.lastDuration
      lastSamples = next.lastSamples
      padding = next.padding
    }
    sampleTotal = sampleTotal.flatMap { total in next.sampleTotal.map { total + $0 } }
    otherSamples.merge(next.otherSamples, uniquingKeysWith: +)
    hasNegativeDTS = hasNegativeDTS || next.hasNegativeDTS
    nextPTS = next.nextPTS
    lastDTS = next.lastDTS
    lastStatedDTS = next.lastStatedDTS
  }
}
