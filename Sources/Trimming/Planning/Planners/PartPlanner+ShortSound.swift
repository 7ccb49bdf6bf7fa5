import ExactTime

extension PartPlanner {
  /// Refuses what an encoder of MP3 makes a single frame of, which FFmpeg does not take for MP3: the first
  /// 1104 samples of its frames of 1152 are none (LAME's delay and the decoder's).
  ///
  /// As much as the others hold at 32 kHz, the lowest rate that has such frames.
  mutating func refuseSingleFrame(of codec: String, lasting length: MediaDuration) {
    guard rules.container == .mp3, codec == "mp3", !isJoined, length <= MediaDuration(48, 32_000)
    else { return }
    refuse(
      PlanRefusal(
        .notCuttable, "the part is too short for an MP3 that players recognise",
        hint: "Make it longer than 1.5 ms, or write .wav."))
  }

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
