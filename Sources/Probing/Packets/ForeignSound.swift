#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav
  import MediaFacts
  import MediaFiles

  /// Sound of an FLV whose codec FFmpeg does not know, read natively, in the place of the stream that
  /// FFmpeg makes of it.
  struct ForeignSound {
    private let sound: FLVSound
    private let index: Int

    /// `nil` where FFmpeg knows the sound.
    init?(
      _ demuxer: borrowing Demuxer, _ file: InputFile, facts: inout MediaFacts, scan: inout FileScan
    ) {
      guard
        let place = facts.tracks.firstIndex(where: { $0.kind == .audio && $0.codec == "none" }),
        let sound = FLVSound(file)
      else { return nil }
      self.sound = sound
      index = facts.tracks[place].index
      let id = facts.tracks[place].id
      var track = TrackFacts(id: id, index: index, kind: .audio, codec: sound.codec ?? "none")
      track.codecTag = sound.codecTag
      let grid = TickGrid(ticksPerSecond: 1000)
      track.grid = grid
      let header = sound.header
      track.audio = AudioFacts(
        sampleRate: header?.sampleRate, channels: header?.channels,
        channelLayout: header?.channelLayout)
      track.profile = header?.profile
      facts.tracks[place] = track
      facts.notes.append(
        Note(
          "sound-by-name", track: id,
          "Its sound is named “\(sound.codecTag)” (Enhanced RTMP), which this version of FFmpeg does "
            + "not read in FLV."))
      scan.unfollow(index)
      scan.follow(
        index,
        as: StreamScan(
          isVideo: false, grid: grid, sampleRate: header?.sampleRate.map { Int64($0) },
          mayJump: false))
    }

    /// Whether a packet of FFmpeg's is one of these.
    func contains(_ packet: PacketFacts) -> Bool { packet.stream == index }

    /// Adds them to what was scanned.
    func add(to scan: inout FileScan) {
      for stamp in sound.stamps { scan.add(stamp, to: index) }
    }
  }
#endif
