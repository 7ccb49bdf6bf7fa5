import Bitstreams
import ExactTime

extension StreamScan {
  /// Gives pictures whose PTS is far from those around them the times that these leave free.
  ///
  /// - Returns: them, by packet.
  mutating func settleStrays() -> [Int: StrayTimes.Stray] {
    guard isVideo else {
      strays = soundStrays.values.sorted { $0.index < $1.index }
      return soundStrays
    }
    guard let least = try? grid.ticks(of: Self.leastJump, rounding: .up) else {
      return [:]
    }
    var strays: [Int: StrayTimes.Stray] = [:]
    for index in epochs.indices where epochs[index].hiddenCount == 0 {
      let epoch = epochs[index]
      guard epoch.lastPTS &- epoch.firstPTS > least, epoch.packets.count == epoch.pts.count else {
        continue
      }
      let found = StrayTimes(epoch.pts, least: least).strays
      guard !found.isEmpty else { continue }
      let stated = epoch.lastPTS &- epoch.firstPTS &+ displayTicks(ofLastFrameIn: epoch)
      if let length = try? grid.duration(ofTicks: stated),
        length > self.statedLength ?? .zero
      {
        self.statedLength = length
      }
      self.strays += found
      for stray in found { strays[Int(epoch.packets[stray.index])] = stray }
      epochs[index].settle(found)
    }
    return strays
  }
}

extension StreamScan {
  /// How many pictures, or packets of sound, which share a time in transport streams, may have
  /// stray times in sequence; more of them are on a clock of their own.
  private var mostStrays: Int { isVideo ? 16 : 64 }

  /// The epochs of a few packets after which the clock continues where it was before them.
  var strayEpochs: Set<Int> {
    guard mayJump, let slack = try? grid.ticks(of: FileScan.slack, rounding: .up) else { return [] }
    var found: Set<Int> = []
    for number in epochs.indices.dropFirst().dropLast() where !found.contains(number - 1) {
      let (before, epoch, after) = (epochs[number - 1], epochs[number], epochs[number + 1])
      let count = after.firstPacket - epoch.firstPacket
      guard count <= mostStrays,
        [before, epoch, after].allSatisfy({ $0.hiddenCount == 0 && !$0.startsAnew }),
        before.sampleRate == after.sampleRate,
        !isVideo || epoch.pts.count <= (before.pts.count + after.pts.count) / 4,
        let last = before.lastDTS, let next = after.firstDTS
      else { continue }
      let room = slack &+ Int64(count + 1) &* max(0, before.lastDistance ?? 0)
      if next >= last, next &- last <= room { found.insert(number) }
    }
    return found
  }

  /// Merges stray epochs, and those after them, with the previous ones.
  mutating func join(strays numbers: Set<Int>) {
    let strays = strayEpochs
    let (first, last) = (epochs.map(\.firstPTS).min() ?? 0, epochs.map(\.lastPTS).max() ?? 0)
    var joined: [Epoch] = []
    for (number, epoch) in epochs.enumerated() {
      guard numbers.contains(number), var last = joined.popLast() else {
        joined.append(epoch)
        continue
      }
      if strays.contains(number) {
        let next = epochs[number + 1]
        strayPackets.formUnion(epoch.firstPacket..<next.firstPacket)
        if isVideo { last.join(epoch) } else { place(epoch, before: next, in: &last) }
      } else {
        last.join(epoch)
      }
      joined.append(last)
    }
    epochs = joined
    if !isVideo, joined.count == 1, let step = try? grid.duration(ofTicks: last &- first) {
      statedLength = try? step.adding(
        grid.duration(ofTicks: max(0, mediaTicks(ofLastPacketIn: joined[0]))))
    }
  }

  /// Gives stray audio packets the times between those before and after them.
  private mutating func place(_ epoch: Epoch, before next: Epoch, in last: inout Epoch) {
    let count = next.firstPacket - epoch.firstPacket
    let (start, room) = (last.nextPTS, next.firstPTS &- last.nextPTS)
    for number in 0..<count {
      let stated = (epoch.lastPTS &- epoch.firstPTS) / Int64(max(1, count - 1)) &* Int64(number)
      soundStrays[epoch.firstPacket + number] = StrayTimes.Stray(
        index: epoch.firstPacket + number, stated: epoch.firstPTS &+ stated,
        pts: start &+ room / Int64(count) &* Int64(number))
    }
    var epoch = epoch
    (epoch.firstPTS, epoch.lastPTS) = (last.firstPTS, last.lastPTS)
    epoch.lastDuration = last.lastDuration
    (epoch.lastSamples, epoch.padding) = (last.lastSamples, last.padding)
    last.join(epoch)
  }
}

extension StreamScan.Epoch {
  fileprivate mutating func settle(_ strays: [StrayTimes.Stray]) {
    keepStated()
    for stray in strays { pts[stray.index] = stray.pts }
    for place in keys.indices { keys[place].pts = pts[keys[place].decodeIndex] }
    let shown = pts.inPresentationOrder
    guard let first = shown.first, let last = shown.last else { return }
    // The duration that was kept is that of a stray.
    if last != lastPTS { lastDuration = shown.usualDistance ?? 0 }
    (firstPTS, lastPTS) = (first, last)
  }
}
