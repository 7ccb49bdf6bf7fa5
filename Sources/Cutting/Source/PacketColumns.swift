#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav
  import MediaFacts
  import Probing
  import Trimming

  /// Collects the times of all packets of a scan, stream by stream.
  struct PacketColumns {
    let tracks: [LibavTrack]
    var columns = PerStream<PacketColumn>()
    var accesses: [Int: [Int: RandomAccessKind]] = [:]
    /// Parameter sets of streams whose packets hold start codes where their configuration says lengths, or
    /// whose configuration has none.
    var startCodes: [Int: [UInt8]] = [:]

    /// Of AAC whose frames tell its channels.
    var channels: [Int: ChannelReframing] = [:]

    /// Matroska has no decoding times: FFmpeg guesses them.
    let storesDecoding: Bool
    /// Its times are those of its frames' own numbers.
    let isBareFLAC: Bool
    /// Of such a file, which may end inside it.
    var lastFrame: [UInt8] = []
    let isOgg: Bool
    let isBare: Bool
    /// Segments that were put end to end may overlap by packets of sound.
    let mayOverlap: Bool
    /// A packet that is marked as corrupt is one that the end of the file cuts off.
    let marksShortReads: Bool
    let format: String

    var starts = PictureStart()
    var fields = PerStream<H264Fields>()
    /// Of streams whose container does not tell when pictures are shown.
    var clocks = PerStream<PictureClock>()
    /// Of streams whose pictures may come without a time, up to the first that is shown.
    var untimed = PerStream<UntimedPictures>()
    /// Of streams whose clock is reset.
    var unrolled = PerStream<UnrolledClock>()

    /// - Parameter format: FFmpeg's name of the demuxer.
    init(_ tracks: [LibavTrack], format: String) {
      self.tracks = tracks
      storesDecoding = !format.hasPrefix("matroska")
      isBareFLAC = format == "flac"
      isOgg = format == "ogg"
      isBare = PacketProbe.isBare(format)
      mayOverlap = ["mpegts", "mpeg"].contains(format)
      self.format = format
      marksShortReads = SoundPackets.CutShortFrame.pictureFormats.contains(format)
      let isAlone = tracks.count { $0.kind == .video || $0.kind == .audio } == 1
      for track in tracks where track.kind == .video {
        if track.codec == "h264" {
          fields[track.index] = H264Fields(configuration: track.extradata)
        }
        clocks[track.index] = PictureClock(
          format: format, codec: track.codec, configuration: track.extradata, isAlone: isAlone)
        untimed[track.index] = UntimedPictures(
          format: format, codec: track.codec, configuration: track.extradata)
      }
    }

    /// Gives packets without a time those that a probe found out, by their numbers.
    mutating func fill(_ stream: Int, _ times: [Int: Int64]) {
      guard !times.isEmpty, var column = columns[stream] else { return }
      columns[stream] = nil
      column.fill(
        times, guessesDTS: ["mpeg1video", "mpeg2video"].contains(tracks[stream].codec))
      columns[stream] = column
    }

    /// Brings a stream whose clock is reset to one clock.
    mutating func unroll(_ stream: Int, _ steps: [ClockStep]) throws(ExactTimeError) {
      guard clocks[stream] == nil, let grid = tracks[stream].grid,
        let clock = try UnrolledClock(steps, grid: grid), columns[stream] != nil
      else { return }
      unrolled[stream] = clock
      let resets = Set(steps.map { place(ofPacket: $0.packet, stream) })
      columns[stream]?.backs.removeAll(where: resets.contains)
    }

    /// Takes the marks from packets that are whole.
    mutating func unmark(_ stream: Int, _ numbers: Set<Int>) {
      let places = numbers.map { place(ofPacket: $0, stream) }
      columns[stream]?.corrupt.subtract(places)
    }

    /// Where a packet of a stream stands among those that show something.
    func place(ofPacket number: Int, _ stream: Int) -> Int {
      guard let column = columns[stream] else { return number }
      return number - column.empties.count { $0 < number } - column.seconds.count { $0 < number }
    }

    /// The grid of all times of a stream that are told here.
    func grid(ofStream stream: Int) -> TickGrid? {
      unrolled[stream]?.grid ?? tracks[stream].grid
    }
  }
#endif
