import ExactTime
import MediaFacts

extension PartPlanner {
  /// Whether audio may be converted to another codec: the output is audio only, or re-encoding was requested.
  var convertsSound: Bool { isSoundAlone || request.audio == .reencode }

  /// The target codec for an audio track that the container does not hold, or that has no encoder.
  func convertedCodec(of track: SourceFacts.Track) -> String {
    let codec = rules.soundCodec
    if rules.hasLittleEndianFloatsAlone, ["pcm_f32be", "pcm_f64be"].contains(track.codec) {
      return track.codec.dropLast(2) + "le"
    }
    guard SoundCodec.isUncompressed(codec) else { return codec }
    let order = codec.suffix(2)
    // Keep the bit depth, where there is one.
    if track.codec.hasPrefix("pcm_f32") || track.codec.hasPrefix("pcm_f64") {
      return String(track.codec.prefix(7) + order)
    }
    switch SoundCodec.sampleSize(of: track.codec) ?? track.sampleBits.map({ ($0 + 7) / 8 }) {
    case 3: return "pcm_s24" + order
    case 4: return "pcm_s32" + order
    default: return codec
    }
  }

  /// - Parameter fits: its own codec fits, but has no encoder.
  mutating func planConversion(
    _ index: Int, fits: Bool = false, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let track = tracks[index]
    let codec = convertedCodec(of: track)
    guard isDecodable(index) else {
      refuse(
        PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be decoded here, so it cannot be re-encoded",
          hint: otherHolders(of: index) ?? "Leave the track out (--tracks)."))
      return
    }
    guard hasEncoder(for: codec) else {
      let cause =
        fits
        ? PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be encoded: there is no encoder for it",
          hint: "Copy its packets instead.")
        : doesNotFit(index)
      refuse(
        PlanRefusal(
          .codecMissing, cause.message + ", and this FFmpeg has no encoder for \(codec)",
          hint: cause.hint))
      return
    }
    let range = MediaTimeRange(from: start, to: self.range.end) ?? self.range
    try planEncoding(
      index, range, into: codec, because: fits ? "no_encoder" : "codec_does_not_fit", &report)
  }
}
