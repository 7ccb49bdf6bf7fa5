import Bitstreams
import ExactTime

extension StreamScan {
  /// Gives pictures whose PTS is far from those around them the times that these leave free.
  ///
  /// - Returns: them, by packet.
  mutating func settleStrays() -> [Int: StrayTimes.Stray] {
    guard isVideo, let least = try? grid.ticks(of: Self.leastJump, rounding: .up) else {
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
