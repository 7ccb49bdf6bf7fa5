import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

/// Chooses how the parts of a cut are joined.
enum Joiners {
  /// - Parameters:
  ///   - cut: without edges that are re-encoded with their own parameter sets.
  ///   - formats: the format at the entry points; `nil` if the file's header describes all pictures.
  ///   - others: other parts of the file are in the same track.
  ///   - keepsSets: parameter sets are in the samples, as in Annex B.
  ///   - held: HEVC POC LSBs that a decoder may hold from the previous part; `nil` for the first
  ///     part, and empty for other codecs after it.
  static func joiner(
    for index: Int, of source: any CutSource, in container: OutputContainer,
    encoding cut: VideoCut, _ formats: EntryFormats?, besides others: Bool, keepsSets: Bool,
    behind held: Set<UInt32>?
  ) throws(MediaError) -> any EdgeJoiner {
    let track = source.tracks[index]
    switch track.facts.codec {
    case .h264:
      return try h264(
        index, of: source, in: container, encoding: cut, formats, besides: others,
        keepsSets: keepsSets)
    case .hevc:
      return try hevc(
        index, of: source, encoding: cut, formats, besides: others, keepsSets: keepsSets,
        behind: held)
    case .mpeg2Video, .mpeg1Video:
      let headers = try source.headers(ofTrack: index)
      return MPEG2Joiner(headers: headers, leftOut: cut.left.count - cut.replaced.count)
    case .mpeg4:
      return MPEG4Joiner(
        headers: try source.headers(ofTrack: index), isBehind: held != nil,
        repeatsHeaders: container.rules.pictures.startCodes == .withOwnSets)
    case .av1: return AV1Joiner(configuration: track.configuration, isBehind: held != nil)
    default: return PlainJoiner()
    }
  }

  /// A joiner for an edge whose format differs from the copied run, and the parameter sets active
  /// where its decoding starts.
  ///
  /// - Returns: `nil` for codecs whose keyframes are self-contained.
  static func apart(
    _ index: Int, of source: any CutSource, at place: Int
  ) throws(MediaError) -> (joiner: any EdgeJoiner, sets: [UInt8])? {
    let track = source.tracks[index]
    guard
      var sets = ParameterSets(codec: track.facts.codec, configuration: track.configuration)
    else { return nil }
    let packet = try source.bytes(ofTrack: index, place)
    let units = NALUnits(bytes: packet[...], framing: track.framing)
    sets.renew(units)
    let joiner =
      track.facts.codec == .hevc
      ? hevcApart(sets.bytes, units) : h264Separate(sets.bytes, of: track)
    return (joiner, sets.bytes)
  }
}
