package import Libav

/// Corrects the times of audio packets where FFmpeg has none or makes them up.
package struct AudioClock {
  private var flac: FLACClock?
  private var vorbis: VorbisClock?
  private var windows: WindowsMediaClock?
  private var trueAudio: TrueAudioClock?
  private var laces: LacedTimes?
  /// Trims MPEG audio frames of the bytes before them.
  private(set) var mpeg: MPEGFrames?

  private var start: OggStart?
  private var links: OggLinks?
  private var lengths: OwnLengths?
  private var wrapped: WrappedLengths?

  /// Creates a clock for a demuxer that has not read any packet yet.
  ///
  /// - Parameter link: what the Ogg pages state about their streams.
  package init(_ demuxer: borrowing Demuxer, _ link: OggChain.Link? = nil) {
    start = OggStart(demuxer, link?.begin)
    links = OggLinks(demuxer, link?.joints ?? [])
    flac = FLACClock(demuxer)
    vorbis = VorbisClock(demuxer)
    windows = WindowsMediaClock(demuxer)
    trueAudio = TrueAudioClock(demuxer)
    laces = LacedTimes(demuxer)
    mpeg = MPEGFrames(demuxer)
    lengths = OwnLengths(demuxer)
    wrapped = WrappedLengths(demuxer)
  }

  /// False where FFmpeg would seek by times that it made up.
  package var allowsSeeking: Bool { flac?.isDescribed != false }

  /// Drops the clocks that count from the first packet, which a seek invalidates.
  package mutating func noteSeek() {
    (vorbis, windows, trueAudio, laces) = (nil, nil, nil, nil)
    (start, lengths, links) = (nil, nil, nil)
  }

  /// Sets the times of the packet that the demuxer read last, also for decoding.
  package mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    mpeg?.trim(&packet, &demuxer)
    wrapped?.stamp(&packet, &demuxer)
    lengths?.stamp(&packet, &demuxer)
    start?.stamp(&packet, &demuxer)
    if links?.stamp(&packet, &demuxer) == true { vorbis?.beginLink() }
    flac?.stamp(&packet, &demuxer)
    windows?.stamp(&packet, &demuxer)
    trueAudio?.stamp(&packet, &demuxer)
    laces?.stamp(&packet, &demuxer)
    if vorbis?.stamp(&packet, &demuxer) == false { vorbis = nil }
  }
}
