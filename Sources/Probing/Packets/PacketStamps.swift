import Bitstreams
import Libav
import MediaFacts

/// Turns each packet into a stamp for the scan: when it is shown, and whether it is shown.
struct PacketStamps {
  /// What is read from the audio's own headers.
  private(set) var sound: AudioPackets
  /// Where decoding of each video stream can start.
  private(set) var starts = PictureStart()
  private(set) var changes = PictureChanges()
  private var pictures = PictureHeaders()
  /// Whether no decoder shows the last frame of a stream.
  private var hidden = PerStream<Bool>()
  /// The state of streams whose packets may be fields.
  private var fields = PerStream<H264Fields>()
  /// The clocks of streams whose container does not state presentation times.
  private var clocks = PerStream<PictureClock>()
  /// The pictures of streams that may lack timestamps.
  private(set) var untimed = PerStream<UntimedPictures>()
  private var tracks = PerStream<ScannedTrack>()
  /// The truncated latest packets of video streams.
  private(set) var cutShort = PerStream<AudioPackets.CutShortFrame>()
  private let marksShortReads: Bool
  private let wantsKeyframes: Bool

  /// - Parameter format: our name, as in ``ContainerNames``.
  init(format: String, wantsKeyframes: Bool, musepack: MusepackHeader? = nil) {
    sound = AudioPackets(format: format, musepack: musepack)
    marksShortReads = SourceRules(format).marksShortPictures
    self.wantsKeyframes = wantsKeyframes
  }

  /// - Parameter format: FFmpeg's name of the demuxer.
  mutating func follow(_ track: LibavTrack, format: String, isAlone: Bool) {
    if track.codec == .h264 {
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

  /// Whether the container states when a stream's pictures are shown.
  func statesPresentation(_ stream: Int) -> Bool { clocks[stream] == nil }

  /// - Parameter facts: receives what the packet states about its track.
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
    stamp.startsClock = packet.beginsLink
    if track.kind == .video, packet.isCorrupt, marksShortReads {
      stamp.isCorrupt = false
      stamp.isSilent = true
      cutShort[packet.stream] = AudioPackets.CutShortFrame(
        byteOffset: packet.byteOffset, byteCount: packet.byteCount)
      return stamp
    }
    if track.codec == .theora, let header = demuxer.withPacketBytes({ $0.first }), header > 0x7F {
      // Headers of the next link have the highest bit set, the first one only that bit; pictures
      // have it clear (Theora I, 6.1 and 7.1).
      stamp.isSilent = true
      stamp.startsClock = header == 0x80
      return stamp
    }
    if track.kind == .audio, let rate = sound.read(&stamp, packet, track, demuxer) {
      facts.tracks[packet.stream].audio?.sampleRate = rate
    }
    if fields[packet.stream] != nil {
      // The first slice follows parameter sets and SEI messages.
      let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
      stamp.isSecondField = fields[packet.stream]?.isSecond(start[...]) == true
    }
    let order = order(packet, isSecondField: stamp.isSecondField, demuxer)
    if track.kind == .video, starts.mayHide(packet.stream) || fields[packet.stream] != nil {
      // The fields of a frame are shown together.
      if !stamp.isSecondField || hidden[packet.stream] == nil {
        // Asked first: the track would be copied for every packet.
        hidden[packet.stream] =
          starts.mayHide(packet.stream)
          && starts.isHidden(packet, order: order, track.facts, demuxer)
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

  /// Records a picture whose time may be omitted.
  ///
  /// - Returns: its position among the pictures of its stream.
  private mutating func order(
    _ packet: PacketFacts, isSecondField: Bool, _ demuxer: borrowing Demuxer
  ) -> Int64? {
    guard isSecondField else { return untimed[packet.stream]?.add(packet, demuxer) }
    untimed[packet.stream]?.addField(duration: packet.duration)
    return nil
  }

  /// Records a picture whose time follows from the presentation order.
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
    if let picture, demuxer.tracks[packet.stream].codec == .mpeg4 {
      stamp.isKey =
        RandomAccess.classify(codec: .mpeg4, picture[...], framing: .annexB) == .intra
    }
  }
}
