#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFacts
  /// Makes of each packet what a scan adds up: when it is shown, and whether it is at all.
  struct PacketStamps {
    /// What is learned from the sound's own headers.
    private(set) var sound: SoundPackets
    /// Where each stream of pictures can be entered.
    private(set) var starts = PictureStart()
    private(set) var changes = PictureChanges()
    private var pictures = PictureHeaders()
    /// Whether the last frame of a stream is one that no decoder shows.
    private var hidden = PerStream<Bool>()
    /// Of streams whose packets may be fields.
    private var fields = PerStream<H264Fields>()
    /// Of streams whose container does not state when pictures are shown.
    private var clocks = PerStream<PictureClock>()
    /// Of streams whose pictures may come without a time.
    private(set) var untimed = PerStream<UntimedPictures>()
    private var tracks = PerStream<ScannedTrack>()
    /// Streams of pictures whose newest packet the end of the file cuts off.
    private(set) var cutShort = PerStream<SoundPackets.CutShortFrame>()
    private let marksShortReads: Bool
    private let wantsKeyframes: Bool

    /// - Parameter format: ours, as ``ContainerNames`` gives it.
    init(format: String, wantsKeyframes: Bool) {
      sound = SoundPackets(format: format)
      marksShortReads = SoundPackets.CutShortFrame.pictureFormats.contains(format)
      self.wantsKeyframes = wantsKeyframes
    }

    /// - Parameter format: FFmpeg's name of the demuxer.
    mutating func follow(_ track: LibavTrack, format: String, isAlone: Bool) {
      if track.codec == "h264" {
        fields[track.index] = H264Fields(configuration: track.extradata)
      }
      if track.kind == .video {
        clocks[track.index] = PictureClock(
          format: format, codec: track.codec, configuration: track.extradata, isAlone: isAlone)
        untimed[track.index] = UntimedPictures(
          format: format, codec: track.codec, configuration: track.extradata)
      }
    }

    /// The times of a stream's pictures where the container does not state them; `nil` otherwise.
    func times(of track: LibavTrack) -> (pts: ContiguousArray<Int64>, end: Int64)? {
      clocks[track.index]?.times(delay: track.reorderedFrames)
    }

    /// - Parameter facts: given what the packet says of its track.
    mutating func stamp(
      _ packet: PacketFacts, _ demuxer: borrowing Demuxer, into facts: inout MediaFacts
    ) -> PacketStamp {
      let track = tracks[packet.stream] ?? ScannedTrack(demuxer.tracks[packet.stream])
      tracks[packet.stream] = track
      var stamp = PacketStamp(pts: packet.pts, dts: packet.dts, duration: packet.duration)
      stamp.isKey = packet.isKey
      stamp.isCorrupt = packet.isCorrupt
      stamp.skippedAtStart = packet.skippedAtStart
      stamp.skippedAtEnd = packet.skippedAtEnd
      stamp.byteOffset = packet.byteOffset
      stamp.byteCount = packet.byteCount
      if track.kind == .video, packet.isCorrupt, marksShortReads {
        stamp.isCorrupt = false
        stamp.isSilent = true
        cutShort[packet.stream] = SoundPackets.CutShortFrame(
          byteOffset: packet.byteOffset, byteCount: packet.byteCount)
        return stamp
      }
      if track.codec == "theora", let header = demuxer.withPacketBytes({ $0.first }), header > 0x7F
      {
        // Headers of the next link have the highest bit set, the first of them no other; pictures have
        // it clear (Theora I, 6.1 and 7.1).
        stamp.isSilent = true
        stamp.startsClock = header == 0x80
        return stamp
      }
      if track.kind == .audio, let rate = sound.read(&stamp, packet, track, demuxer) {
        facts.tracks[packet.stream].audio?.sampleRate = rate
      }
      if fields[packet.stream] != nil {
        // The first slice stands behind parameter sets and messages.
        let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
        stamp.isSecondField = fields[packet.stream]?.isSecond(start[...]) == true
      }
      let order = order(packet, isSecondField: stamp.isSecondField, demuxer)
      if track.kind == .video, starts.mayHide(packet.stream) || fields[packet.stream] != nil {
        // The fields of a frame are shown together.
        if !stamp.isSecondField || hidden[packet.stream] == nil {
          hidden[packet.stream] = starts.isHidden(
            packet, order: order, track.facts, demuxer)
        }
        stamp.isHidden = hidden[packet.stream] == true
        if stamp.isHidden { untimed[packet.stream]?.hideNewest() }
      }
      time(&stamp, packet, demuxer)
      if track.kind == .video, !pictures.areRead(of: packet.stream) {
        pictures.read(track.facts, isKey: stamp.isKey, demuxer, into: &facts)
      }
      if track.kind == .video, stamp.isKey { changes.read(track.facts, demuxer) }
      if track.kind == .video, stamp.isKey, wantsKeyframes {
        stamp.access = PictureStart.access(track.facts, demuxer)
      }
      return stamp
    }

    /// Notes a picture whose time may be left out.
    ///
    /// - Returns: its place among the pictures of its stream.
    private mutating func order(
      _ packet: PacketFacts, isSecondField: Bool, _ demuxer: borrowing Demuxer
    ) -> Int64? {
      guard isSecondField else { return untimed[packet.stream]?.add(packet, demuxer) }
      untimed[packet.stream]?.addField(duration: packet.duration)
      return nil
    }

    /// Notes a picture whose time follows from the order in which pictures are shown.
    private mutating func time(
      _ stamp: inout PacketStamp, _ packet: PacketFacts, _ demuxer: borrowing Demuxer
    ) {
      if clocks[packet.stream]?.isContradicted(byPTS: packet.pts, dts: packet.dts) == true {
        clocks[packet.stream] = nil
      }
      guard clocks[packet.stream] != nil else { return }
      guard !stamp.isSecondField else {
        clocks[packet.stream]?.addField(duration: packet.duration)
        return
      }
      let bytes = demuxer.withPacketBytes { Array($0) }
      let picture = clocks[packet.stream]?.add(
        bytes, instant: packet.dts ?? packet.pts, duration: packet.duration)
      stamp.isSilent = picture == nil
      if let picture, demuxer.tracks[packet.stream].codec == "mpeg4" {
        stamp.isKey =
          RandomAccess.classify(codec: "mpeg4", picture[...], framing: .annexB) == .intra
      }
    }
  }
#endif
