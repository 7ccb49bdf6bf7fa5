import ExactTime
import MediaFacts

extension PartPlanner {
  /// Refuses audio that encodes to a single frame, where readers do not recognize such a file.
  mutating func refuseSingleFrame(of codec: Codec, lasting length: MediaDuration) {
    guard let least = rules.leastEncodedSound, codec == rules.soundCodec, !isJoined,
      length <= least
    else { return }
    refuse(
      PlanRefusal(
        .notCuttable,
        "the part is too short for \(rules.ending): players do not recognize a single frame",
        hint: "Make it longer, or write .wav."))
  }

  /// The packets, usually a single one, that cover a range too short to contain a whole packet.
  ///
  /// They are not written alongside video: they begin before IN, and so before the first frame.
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
