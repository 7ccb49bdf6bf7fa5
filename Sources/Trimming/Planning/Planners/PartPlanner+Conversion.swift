import ExactTime
import MediaFacts

extension PartPlanner {
  /// What a track of sound becomes that the container does not hold; `nil` where it holds nothing that
  /// could be made of it.
  func convertedCodec(of track: SourceFacts.Track) -> String? {
    guard let codec = rules.soundCodec else { return nil }
    guard SoundCodec.isUncompressed(codec) else { return codec }
    // As many bits as there are, of what has any.
    if track.codec.hasPrefix("pcm_f32") || track.codec.hasPrefix("pcm_f64") {
      return String(track.codec.prefix(7)) + "le"
    }
    switch SoundCodec.sampleSize(of: track.codec) ?? track.sampleBits.map({ ($0 + 7) / 8 }) {
    case 3: return "pcm_s24le"
    case 4: return "pcm_s32le"
    default: return codec
    }
  }

  mutating func planConversion(
    _ index: Int, into codec: String, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let track = tracks[index]
    guard hasEncoder(for: codec) else {
      refuse(
        PlanRefusal(
          .codecMissing,
          "\(rules.ending) does not hold \(track.codec) (track \(track.id)), and this FFmpeg has no "
            + "encoder for \(codec)", hint: doesNotFit(index).hint))
      return
    }
    let range = MediaTimeRange(from: start, to: self.range.end) ?? self.range
    try planEncoding(index, range, into: codec, &report)
  }

  private func hasEncoder(for codec: String) -> Bool {
    if let isKnown = facts.soundEncoders[codec] { return isKnown }
    questions.missing.insert(.soundEncoder(source: part.source, codec: codec))
    return true
  }
}
