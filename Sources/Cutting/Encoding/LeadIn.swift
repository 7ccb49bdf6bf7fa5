#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFacts

  /// What a decoder may leave out on its way from where it can begin to the pictures that are wanted.
  struct LeadIn {
    private let start: Int
    /// From here on everything is decoded.
    private let whole: Int
    /// Pictures that those on the way there may refer to, and those that are wanted do not need.
    private var unneeded: Set<Int> = []

    /// - Parameter bytes: reads a packet.
    init(
      to places: [Int], from start: Int, of track: SourceTrack,
      bytes: (Int) throws(CutError) -> [UInt8]
    ) throws(CutError) {
      self.start = start
      let first = places.min() ?? start
      let header = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
      // Where no header says it, decoders learn from what they decode how pictures are reordered.
      whole = header?.maxReorderFrames != nil ? first : first - EdgeEncoder.longestDelay
      guard track.facts.codec == "h264", whole - start >= Self.worthwhile else { return }
      var graph = H264ReferenceGraph(configuration: track.configuration)
      let last = places.max() ?? first
      for place in start...last {
        guard graph.add(try bytes(place)[...]) else { return }
      }
      // Those of two directions that are decoded whole are wanted as well.
      unneeded = graph.unneeded(by: Set(places).union(whole...last).map { $0 - start })
    }

    /// On a shorter way there is little to leave out.
    private static let worthwhile = 16

    func skip(at place: Int) -> Decoder.Skip {
      if place >= whole { return .nothing }
      return unneeded.contains(place - start) ? .bidirectional : .unreferenced
    }
  }
#endif
