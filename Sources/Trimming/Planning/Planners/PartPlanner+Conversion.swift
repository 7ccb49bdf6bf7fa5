import ExactTime
import MediaFacts

extension PartPlanner {
  /// Whether audio may be converted to another codec: the output is audio only, or re-encoding was requested.
  var convertsSound: Bool { isSoundAlone || request.audio == .reencode }

  /// The target codec for an audio track that the container does not hold, or that has no encoder.
  func convertedCodec(of track: SourceFacts.Track) -> Codec {
    let codec = unpackedCodec(of: track) ?? rules.soundCodec
    if rules.codesLosslessExactly, SoundCodec.becomesFLAC(track.codec) { return .flac }
    if rules.hasLittleEndianFloatsAlone, track.codec.isOne(of: .pcmF32BE, .pcmF64BE) {
      return Codec(track.codec.rawValue.dropLast(2) + "le")
    }
    guard SoundCodec.isUncompressed(codec) else { return codec }
    let order = codec.rawValue.suffix(2)
    // Keep the bit depth, where there is one.
    if track.codec.isFloatPCM {
      return Codec("\(track.codec.rawValue.prefix(7))\(order)")
    }
    switch SoundCodec.sampleSize(of: track.codec) ?? track.sampleBits.map({ ($0 + 7) / 8 }) {
    case 3: return Codec("pcm_s24\(order)")
    case 4: return Codec("pcm_s32\(order)")
    default: return codec
    }
  }

  /// The PCM that packed samples of discs and cameras, and planar samples, become; `nil` for other codecs, or where the
  /// container holds no PCM.
  private func unpackedCodec(of track: SourceFacts.Track) -> Codec? {
    guard SoundCodec.isPacked(track.codec) else { return nil }
    return rules.unpackedOrder.map { Codec("pcm_s16\($0)") }
  }

  /// Whether packed or planar samples become PCM in a container.
  func unpacks(_ index: Int, _ rules: ContainerRules) -> Bool {
    SoundCodec.isPacked(tracks[index].codec) && rules.unpackedOrder != nil
  }

  /// Packs samples again: the range begins and ends within packets, and PCM in packets with headers
  /// cannot be cut by bytes.
  mutating func planRepacking(
    _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    guard isDecodable(index), isEncodable(index) else {
      let track = tracks[index]
      refuse(
        PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be cut: this FFmpeg cannot decode or encode it",
          hint: otherHolders(of: index) ?? "Leave the track out (tracks)."))
      return
    }
    let range = MediaTimeRange(from: start, to: self.range.end) ?? self.range
    try planEncoding(index, range, because: .samplesRepacked, &report)
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
          hint: otherHolders(of: index) ?? "Leave the track out (tracks)."))
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
    let isUnpacked = SoundCodec.isPacked(track.codec) && SoundCodec.isUncompressed(codec)
    let why: TrackPlan.Reason = isUnpacked ? .samplesRepacked : .codecDoesNotFit
    try planEncoding(index, range, into: codec, because: fits ? .noEncoder : why, &report)
  }
}
