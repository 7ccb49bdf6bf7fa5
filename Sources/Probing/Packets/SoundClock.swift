#if FFmpeg
  package import Libav
  /// Sets times of packets of sound right where FFmpeg has none or makes them up.
  package struct SoundClock {
    private var flac: FLACClock?
    private var vorbis: VorbisClock?
    private var windows: WindowsMediaClock?
    private var trueAudio: TrueAudioClock?
    private var laces: LacedTimes?
    /// Frames of MPEG audio, without what stands before them.
    private(set) var mpeg: MPEGFrames?

    private var start: OggStart?
    private var lengths: OwnLengths?

    /// For a demuxer that has read no packet yet.
    ///
    /// - Parameter link: what the pages of Ogg tell of its streams.
    package init(_ demuxer: borrowing Demuxer, _ link: OggChain.Link? = nil) {
      start = OggStart(demuxer, link?.begin)
      flac = FLACClock(demuxer)
      vorbis = VorbisClock(demuxer)
      windows = WindowsMediaClock(demuxer)
      trueAudio = TrueAudioClock(demuxer)
      laces = LacedTimes(demuxer)
      mpeg = MPEGFrames(demuxer)
      lengths = OwnLengths(demuxer)
    }

    /// False where FFmpeg would seek by times that it made up.
    package var allowsSeeking: Bool { flac?.isDescribed != false }

    /// What counts from the first packet on no longer can.
    package mutating func noteSeek() {
      (vorbis, windows, trueAudio, laces) = (nil, nil, nil, nil)
      (start, lengths) = (nil, nil)
    }

    /// Sets the times of the packet that the demuxer read last, for whoever decodes it too.
    package mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
      mpeg?.trim(&packet, &demuxer)
      lengths?.stamp(&packet, &demuxer)
      start?.stamp(&packet, &demuxer)
      flac?.stamp(&packet, &demuxer)
      windows?.stamp(&packet, &demuxer)
      trueAudio?.stamp(&packet, &demuxer)
      laces?.stamp(&packet, &demuxer)
      if vorbis?.stamp(&packet, &demuxer) == false { vorbis = nil }
    }
  }
#endif
