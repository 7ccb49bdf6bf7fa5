import ExactTime
import MediaFacts

extension PartPlanner {
  /// Whether copied audio packets would contain sound from outside a range.
  ///
  /// A packet of AAC, MP3, Opus and the like also holds some of its neighbors' samples, and decodes correctly
  /// only after packets of its own encoder: there is no packet at which copied and re-encoded ones could be
  /// joined, so all such audio is re-encoded.
  func reachesOut(_ index: Int, _ range: MediaTimeRange) throws(ExactTimeError) -> Bool {
    let track = tracks[index]
    let isSliced =
      SoundCodec.isUncompressed(track.codec)
      && track.sampleRate.map { track.coded.grid.secondsPerTick == Rational(1, Int64($0)) } ?? false
    if isSliced { return false }
    let cut = try AudioPlanner(countedInSamples(index), precision: .sample).cut(range)
    guard !cut.copied.isEmpty else { return false }
    let isWhole = cut.packetCount == track.coded.packets.count
    return cut.hiddenStart > 0 || cut.hiddenEnd > 0
      || !(isWhole || SoundCodec.standsAlone(track.codec))
  }

  func noEncoderWithin(_ track: SourceFacts.Track) -> PlanRefusal {
    PlanRefusal(
      .codecMissing,
      "packets of track \(track.id) (\(track.codec)) contain audio from outside the range, and "
        + "there is no encoder for it",
      hint: "Leave them in the file, hidden, or re-encode the audio to another codec.")
  }

  /// Refuses a plan that would leave content from outside the range in the file, where that is
  /// forbidden.
  mutating func checkStrictness() throws(ExactTimeError) {
    guard request.isStrict, refusal == nil else { return }
    if start < part.range.start, try !isRounded(part.range.start) {
      refuse(
        PlanRefusal(
          .notCuttable,
          request.mode == .copy
            ? "without re-encoding, the file would begin before the range, at a keyframe"
            : "the frames of a \(rules.ending) file have a fixed rate: it would begin before the "
              + "range",
          hint: request.mode == .copy
            ? "Re-encode the edges, or begin at a keyframe." : "Write .mp4 or .mkv."))
    }
    if range.end > part.range.end, try !isRounded(part.range.end) {
      refuse(
        PlanRefusal(
          .notCuttable, "without re-encoding, the file would end after the range",
          hint: "Re-encode the edges, or end at a keyframe."))
    }
    for (plan, report) in planned {
      guard let cut = plan.video else { continue }
      let opened = try tracks[plan.source].coded.opened(at: range)
      let left = Set(cut.left)
      let isWithin = cut.copied.allSatisfy { place in
        left.contains(place) || opened.ticks.contains(opened.coded.packets[place].pts)
      }
      guard !isWithin || !cut.hidden.isEmpty else { continue }
      refuse(
        PlanRefusal(
          .notCuttable,
          "copied frames of track \(report.id) (\(report.codec)) would be outside the range",
          hint: "Re-encode every frame."))
    }
  }

  /// Whether an endpoint was moved only because it was a rounded frame start.
  private func isRounded(_ end: MediaTime) throws(ExactTimeError) -> Bool {
    let moved = end == part.range.start ? start : range.end
    return try moved.distance(from: end).checkedMagnitude() <= MediaDuration(1, 1000)
  }
}
