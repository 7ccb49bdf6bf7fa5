import ExactTime

extension PartPlanner {
  /// Refuses sound that encodes to a single frame, where readers do not recognize such a file.
  mutating func refuseSingleFrame(of codec: String, lasting length: MediaDuration) {
    guard let least = rules.leastEncodedSound, codec == rules.soundCodec, !isJoined,
      length <= least
    else { return }
    refuse(
      PlanRefusal(
        .notCuttable,
        "the part is too short for \(rules.ending): players do not recognize a single frame",
        hint: "Make it longer, or write .wav."))
  }

  /// The single packet that covers a range shorter than itself.
  ///
  /// Only audio without video may begin with it: there is no video that it would precede.
  func packetOn(
    _ range: MediaTimeRange, _ track: SourceFacts.Track
  ) throws(ExactTimeError) -> AudioCut? {
    let cut = try AudioPlanner(
      rules.heardWhole(track.coded), preroll: 0, precision: .sample
    ).cut(range)
    let packets = track.coded.packets[cut.copied]
    guard let first = packets.first, let last = packets.last, cut.length.isPositive,
      first.isKey || !SoundCodec.beginsAtKey(track.codec)
    else { return nil }
    var whole = AudioCut()
    whole.copied = cut.copied
    whole.start = try MediaTime.zero.advanced(
      by: track.coded.time(atTick: first.pts).distance(from: range.start))
    whole.length = try track.coded.grid.duration(ofTicks: last.pts &+ last.duration &- first.pts)
    return whole
  }
}
