import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Packets framed as in MP4.
extension PacketCutSource {
  /// How the packets of a track are changed for any container; `nil` where they are kept as they
  /// are.
  static func reframing(of track: LibavTrack) -> (any SampleReframing)? {
    SubtitleCodec.isOfPages(track.codec)
      ? PageReframing(configuration: track.extradata)
      : LengthReframing(codec: track.codec, configuration: track.extradata)
  }

  func framed(
    for rules: ContainerRules, in spool: PayloadSpool
  ) throws(MediaError) -> FramedSource? {
    let made = try framing(for: rules)
    return FramedSource(self, made.tracks, made.framings, spool)
  }

  private func framing(
    for rules: ContainerRules
  ) throws(MediaError) -> (tracks: [SourceTrack], framings: [Int: ISOFraming]) {
    if rules.countsTimes {
      if let counted { return counted }
      let made = try framed(countedTimes, of: [.audio, .video])
      counted = made
      return made
    }
    if rules.pictures.hasFixedFrameRate { return try framed(tracks, of: [.audio]) }
    guard !rules.audio.keepsADTSHeaders else { return (tracks, [:]) }
    // FFmpeg's filter for AAC ends at the first broken header.
    let made = try framed(tracks, of: [.audio])
    var tracks = tracks
    for place in made.framings.keys { tracks[place] = made.tracks[place] }
    return (tracks, made.framings)
  }

  private var countedTimes: [SourceTrack] {
    var tracks = tracks
    for place in tracks.indices {
      let track = tracks[place]
      var counted: CodedTrack?
      if track.facts.kind == .video, let rate = track.facts.video?.nominalFrameRate {
        counted = track.coded.counted(framesPerSecond: rate)
      } else if track.facts.kind == .audio, let rate = track.facts.audio?.sampleRate {
        counted = track.coded.counted(
          samplesPerSecond: AudioCodec.clockRate(of: track.facts.codec, stated: rate) ?? rate,
          lengths: track.sampleCounts)
      }
      if let counted {
        if !track.coded.hasTimes(of: counted), !countsFrames(track) {
          tracks[place].roundedBy = try? track.coded.grid.duration(ofTicks: 1)
        }
        tracks[place].statedGrid = track.coded.grid
        tracks[place].coded = counted
      }
    }
    return tracks
  }

  /// Whether ticks are as long as frames, as in Ogg, so that times are not rounded.
  private func countsFrames(_ track: SourceTrack) -> Bool {
    guard let rate = track.facts.video?.nominalFrameRate,
      let frames = try? track.coded.grid.secondsPerTick.multiplied(by: rate)
    else { return false }
    return frames > Rational(1, 2)
  }

  private func framed(
    _ tracks: [SourceTrack], of kinds: Set<TrackKind>
  ) throws(MediaError) -> (tracks: [SourceTrack], framings: [Int: ISOFraming]) {
    var framed = tracks
    var found: [Int: ISOFraming] = [:]
    for place in tracks.indices
    where tracks[place].obstacle == nil && kinds.contains(tracks[place].facts.kind) {
      guard let first = tracks[place].coded.packets.firstIndex(where: \.isKey) else { continue }
      let codec = tracks[place].facts.codec
      let isAnnexB = codec.usesNALUnits && tracks[place].framing == .annexB
      guard isAnnexB || codec == .aac && tracks[place].configuration.isEmpty else { continue }
      let packet = try bytes(ofTrack: place, first)
      let sets = ISOFraming.sets(codec: codec, tracks[place].configuration, packet)
      guard
        let framing = isAnnexB ? framing(ofTrack: place, under: sets) : ISOFraming(adts: packet)
      else {
        framed[place].obstacle =
          isAnnexB
          ? "its parameter sets are missing"
          : "its headers do not state the number of channels"
        continue
      }
      found[place] = framing
      framed[place].configuration = framing.configuration
      framed[place].isReframed = true
    }
    return (framed, found)
  }

  func framing(ofTrack track: Int, under sets: [UInt8]) -> ISOFraming? {
    guard !sets.isEmpty,
      let configuration = ISODescription.configuration(of: tracks[track], sets: sets, demuxer)
    else { return nil }
    return ISOFraming(
      codec: tracks[track].facts.codec, configuration: configuration, sets: sets)
  }
}
