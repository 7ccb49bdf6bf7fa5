import ExactTime

extension PartPlanner {
  /// The packet that is heard in all of a range that is shorter than it.
  ///
  /// Sound alone may begin with it: there are no pictures that it would come too early for.
  func packetOn(
    _ range: MediaTimeRange, _ track: SourceFacts.Track
  ) throws(ExactTimeError) -> AudioCut? {
    let cut = try AudioPlanner(
      rules.heardWhole(track.coded), preroll: 0, precision: .sample
    ).cut(range)
    let packets = track.coded.packets[cut.copied]
    guard let first = packets.first, let last = packets.last, cut.length.isPositive else {
      return nil
    }
    var whole = AudioCut()
    whole.copied = cut.copied
    whole.start = try MediaTime.zero.advanced(
      by: track.coded.time(atTick: first.pts).distance(from: range.start))
    whole.length = try track.coded.grid.duration(ofTicks: last.pts &+ last.duration &- first.pts)
    return whole
  }
}
