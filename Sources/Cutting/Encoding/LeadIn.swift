#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFacts
  import Trimming

  /// What a decoder may leave out on its way from where it can begin to the pictures that are wanted.
  struct LeadIn {
    private let start: Int
    /// From here on everything is decoded.
    private let whole: Int
    /// Pictures that those on the way there may refer to, and those that are wanted do not need.
    private var unneeded: Set<Int> = []
    /// What is shown before it leads the picture with which the decoder begins; `nil` where that may be.
    private var entry: Int64?

    /// - Parameter bytes: reads a packet.
    init(
      to places: [Int], from start: Int, of track: SourceTrack,
      bytes: (Int) throws(CutError) -> [UInt8]
    ) throws(CutError) {
      self.start = start
      // FFmpeg takes the first B picture's distance for a field's length, and drops every later one of an
      // interlaced stream where that was a distance from nothing.
      if track.facts.codec == "mpeg4", start > 0 { entry = track.coded.packets[start].pts }
      let first = places.min() ?? start
      let header = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
      // Where no header says it, decoders learn from what they decode how pictures are reordered.
      whole = header?.maxReorderFrames != nil ? first : first - EdgeEncoder.longestDelay
      guard track.facts.codec == "h264", whole - start >= Self.worthwhile else { return }
      let last = places.max() ?? first
      func graph(without left: Set<Int>) throws(CutError) -> H264ReferenceGraph? {
        var graph = H264ReferenceGraph(configuration: track.configuration)
        for place in start...last {
          let isLeftOut = left.contains(place - start)
          guard graph.add(try bytes(place)[...], isLeftOut: isLeftOut) else { return nil }
        }
        return graph
      }
      guard let all = try graph(without: []) else { return }
      // Those of two directions that are decoded whole are wanted as well.
      let needed = all.needed(by: Set(places).union(whole...last).map { $0 - start })
      // What decoders hold in place of what is left out must be gone where it would count.
      for margin in Self.margins {
        let left = Set(0..<max(0, whole - start - margin)).subtracting(needed)
        if let rest = try graph(without: left), all.agrees(with: rest, about: needed) {
          unneeded = left
          return
        }
      }
    }

    /// On a shorter way there is little to leave out.
    private static let worthwhile = 40
    /// How many pictures before those that are wanted none is left out.
    private static let margins = [8, 32]

    /// Whether a picture needs those before the one with which the decoder begins.
    func leads(_ packet: CodedPacket) -> Bool { entry.map { packet.pts < $0 } ?? false }

    func skip(at place: Int) -> Decoder.Skip {
      if place >= whole { return .nothing }
      return unneeded.contains(place - start) ? .bidirectional : .unreferenced
    }
  }
#endif
