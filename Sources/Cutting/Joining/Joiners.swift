#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  /// Chooses how the parts of a cut are joined.
  enum Joiners {
    /// - Parameters:
    ///   - others: other parts of the file stand in the same track.
    ///   - keepsSets: parameter sets stand in the samples, as behind start codes.
    ///   - held: POC of HEVC, by their lowest bits, that a decoder may hold from the part before; `nil`
    ///     for the first part, and empty for other codecs behind it.
    static func joiner(
      for index: Int, of source: any CutSource, in container: OutputContainer,
      encoding cut: VideoCut, besides others: Bool, keepsSets: Bool, behind held: Set<UInt32>?
    ) throws(CutError) -> any EdgeJoiner {
      let track = source.tracks[index]
      switch track.facts.codec {
      case "h264":
        return try h264(
          index, of: source, in: container, encoding: cut, besides: others, keepsSets: keepsSets)
      case "hevc":
        return try hevc(
          index, of: source, encoding: cut, besides: others, keepsSets: keepsSets, behind: held)
      case "mpeg2video", "mpeg1video":
        let headers = try headers(of: index, of: source, upTo: [0xB8, 0x00])
        return MPEG2Joiner(headers: headers, leftOut: cut.left.count - cut.replaced.count)
      case "mpeg4":
        return MPEG4Joiner(
          headers: try headers(of: index, of: source, upTo: [0xB3, 0xB6]), isBehind: held != nil,
          repeatsHeaders: container.rules.startCodes == .withOwnSets)
      case "av1": return AV1Joiner(configuration: track.configuration, isBehind: held != nil)
      default: return PlainJoiner()
      }
    }

    /// What stands before the first group or picture: in the configuration, else in the first
    /// packet.
    static func headers(
      of index: Int, of source: any CutSource, upTo codes: Set<UInt8>
    ) throws(CutError) -> [UInt8] {
      let track = source.tracks[index]
      if !track.configuration.isEmpty { return track.configuration }
      guard let first = track.coded.packets.indices.first else { return [] }
      try source.prepare([index: [first..<first + 1]])
      let packet = try source.bytes(ofTrack: index, first)
      let end = StartCodes.first(in: packet) { codes.contains($0) } ?? 0
      return Array(packet[..<end])
    }
  }
#endif
