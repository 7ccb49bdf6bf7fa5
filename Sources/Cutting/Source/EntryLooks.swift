#if FFmpeg
  import Bitstreams
  import ExactTime
  import MediaFacts
  import Trimming

  extension CodedLook {
    /// What the first pictures of a track look like; `nil` where the codec, or its header, does not say.
    init?(ofFirst index: Int, of source: any CutSource) throws(CutError) {
      let track = source.tracks[index]
      let stated = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
      if let look = CodedLook(stated, codec: track.facts.codec) {
        self = look
        return
      }
      try source.prepare([index: [0..<1]])
      let bytes = try source.bytes(ofTrack: index, 0)
      self.init(
        VideoHeader(codec: track.facts.codec, firstSample: bytes[...], framing: track.framing),
        codec: track.facts.codec)
    }
  }

  extension CodedLook {
    /// The packet with which pictures begin that look otherwise, among some that were prepared; `nil` where none do.
    static func change(
      in range: Range<Int>, of source: any CutSource, track index: Int
    ) throws(CutError) -> Int? {
      try changes(in: range, of: source, track: index, most: 1).first
    }

    /// All such packets, or the first few.
    static func changes(
      in range: Range<Int>, of source: any CutSource, track index: Int, most: Int = .max
    ) throws(CutError) -> [Int] {
      let track = source.tracks[index]
      var places: [Int] = []
      guard CodedLook.isTold(by: track.facts.codec) else { return [] }
      var known: CodedLook?
      for place in range where place == range.lowerBound || track.coded.packets[place].isKey {
        let bytes = try source.bytes(ofTrack: index, place)
        let header = VideoHeader(
          codec: track.facts.codec, firstSample: bytes[...], framing: track.framing)
        guard let look = CodedLook(header, codec: track.facts.codec) else { continue }
        if let known, !known.isAlike(look) { places.append(place) }
        if places.count == most { break }
        known = look
      }
      return places
    }
  }

  extension CodedLook {
    /// Width of a pixel over its height where pictures are shown in the shape that a container states.
    func pixelAspect(shownAs video: VideoFacts) -> Rational? {
      // Headers may state sizes that no product of two holds.
      try? Rational(Int64(video.width)).divided(by: Rational(Int64(video.height)))
        .multiplied(by: Rational(Int64(height))).divided(by: Rational(Int64(width)))
        .multiplied(by: video.sampleAspectRatio ?? .one)
    }
  }

  /// What pictures look like where a part enters the stream.
  ///
  /// Broadcasts, and streams that were put together, change their size or shape in the middle. They say so in the
  /// packets alone, at a keyframe.
  struct EntryLooks {
    /// Where decoding begins for what is re-encoded in front of the copied run.
    private(set) var head: CodedLook?
    private(set) var copied: CodedLook?
    private(set) var tail: CodedLook?
    private(set) var changesWithin = false
    /// The packet with which the copied run begins, else that with which decoding does.
    private(set) var place: Int?

    init(_ cut: VideoCut, of source: any CutSource, track index: Int) throws(CutError) {
      let track = source.tracks[index]
      guard CodedLook.isTold(by: track.facts.codec) else { return }
      place = [cut.copied, cut.headSource, cut.tailSource].first { !$0.isEmpty }?.lowerBound
      // Samples of MP4 have lost the sets that the configuration has.
      let codec = track.facts.codec
      var known = CodedLook(
        VideoHeader(codec: codec, configuration: track.configuration), codec: codec)
      func look(_ range: Range<Int>) throws(CutError) -> CodedLook? {
        guard let place = range.first else { return nil }
        try source.prepare([index: [place..<place + 1]])
        let bytes = try source.bytes(ofTrack: index, place)
        let header = VideoHeader(
          codec: track.facts.codec, firstSample: bytes[...], framing: track.framing)
        let look = CodedLook(header, codec: codec) ?? known
        if !track.isReframed { known = look }
        return look
      }
      if !cut.head.isEmpty { head = try look(cut.headSource) }
      copied = try look(cut.copied)
      if !cut.tail.isEmpty { tail = try look(cut.tailSource) }
    }

    /// Finds out whether pictures change among those that are copied.
    mutating func lookWithin(
      _ cut: VideoCut, of source: any CutSource, track: Int
    ) throws(CutError) {
      changesWithin = try CodedLook.change(in: cut.copied, of: source, track: track) != nil
    }

    /// Whether nothing but the packets says what pictures look like.
    ///
    /// - Parameter format: FFmpeg's name of the demuxer.
    static func tellsAlone(_ format: String) -> Bool {
      PictureClock.rawFormats.contains(format) || ["mpegts", "mpeg", "flv"].contains(format)
    }

    /// Without what is re-encoded under sets of its own.
    func joined(_ cut: VideoCut) -> VideoCut {
      var cut = cut
      if isHeadApart { cut.head = [] }
      if isTailApart { cut.tail = [] }
      return cut
    }

    /// Pictures in front of the copied run look otherwise than those in it.
    var isHeadApart: Bool { copied != nil && head != nil && head != copied }
    /// Pictures behind it do.
    var isTailApart: Bool { copied != nil && tail != nil && tail != copied }
    /// What is said of the part as a whole.
    var main: CodedLook? { copied ?? head ?? tail }
  }
#endif
