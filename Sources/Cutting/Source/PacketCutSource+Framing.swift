import Bitstreams
import ExactTime
import Libav
import MediaFacts
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

  func counted() throws(CutError) -> [SourceTrack]? {
    if let framed { return framed.tracks }
    // Headers are read from the packets as they are in the file.
    let current = framings
    framings = [:]
    forget()
    defer {
      framings = current
      forget()
    }
    let made = try framed(countedTimes, of: [.audio, .video])
    framed = made
    return made.tracks
  }

  func adapt(to container: OutputContainer) throws(CutError) {
    framings = [:]
    forget()
    if container.rules.countsTimes {
      _ = try counted()
      tracks = framed?.tracks ?? stated
      framings = framed?.framings ?? [:]
    } else if container.rules.pictures.hasFixedFrameRate {
      (tracks, framings) = try framed(stated, of: [.audio])
    } else if !container.rules.audio.keepsADTSHeaders {
      // FFmpeg's filter for AAC ends at the first broken header.
      let made = try framed(stated, of: [.audio])
      (tracks, framings) = (stated, made.framings)
      for place in framings.keys { tracks[place] = made.tracks[place] }
    } else {
      (tracks, framings) = (stated, [:])
    }
    forget()
  }

  func describe(_ track: Int, as run: SoundDescriptions.Run) {
    guard framings[track] != nil, let framing = ISOFraming(run) else { return }
    framings[track] = framing
    tracks[track].configuration = framing.configuration
  }

  func describe(_ track: Int, as format: CodedFormat, at place: Int) throws(CutError) {
    tracks[track].describedAt = place
    if let video = tracks[track].facts.video {
      tracks[track].facts.video?.sampleAspectRatio =
        facts.container.rules.statesInBandOnly
        ? format.pixelAspect : format.pixelAspect(shownAs: video)
    }
    tracks[track].facts.video?.width = format.width
    tracks[track].facts.video?.height = format.height
    // For MP4, `settleSets` does this.
    guard framings[track] == nil else { return }
    let packet = try bytes(ofTrack: track, place)
    let configuration = configuration(ofTrack: track, behind: packet)
    guard !configuration.isEmpty else { return }
    tracks[track].configuration = configuration
    tracks[track].isReframed = true
  }

  /// The configuration that is active at a packet: parameter sets, or the sequence header of
  /// MPEG-1 and MPEG-2.
  private func configuration(ofTrack track: Int, behind packet: [UInt8]) -> [UInt8] {
    let (codec, known) = (tracks[track].facts.codec, tracks[track].configuration)
    guard var sets = ParameterSets(codec: codec, configuration: known) else {
      return MPEGHeaders.inFront(of: packet, codec: codec)
    }
    sets.renew(NALUnits(bytes: packet[...], framing: tracks[track].framing))
    return sets.configuration
  }

  func settleSets(
    copying copied: [Int: [Range<Int>]], changing: Set<Int>
  ) throws(CutError) -> Set<Int> {
    // Length-prefixed packets keep their in-band parameter sets.
    var kept = changing.filter { framings[$0] == nil && tracks[$0].framing != .annexB }
    for (track, ranges) in copied {
      guard let framing = framings[track], let entry = ranges.first?.first,
        bringsOthers(track, in: ranges) || changing.contains(track)
      else { continue }
      let configuration = try renewed(framing, track, from: entry, ranges)
      framings[track] = configuration
      tracks[track].configuration = configuration.configuration
      forget(track)
      try prepare([track: ranges])
      guard bringsOthers(track, in: ranges) || changing.contains(track) else { continue }
      framings[track]?.keepsSets = true
      kept.insert(track)
      forget(track)
    }
    return kept
  }

  private func bringsOthers(_ track: Int, in ranges: [Range<Int>]) -> Bool {
    guard let others = others[track] else { return false }
    return ranges.contains { $0.contains(where: others.contains) }
  }

  /// A framing whose configuration has the sets that are active at the first packet to be copied,
  /// plus later ones that do not replace any.
  private func renewed(
    _ framing: ISOFraming, _ track: Int, from entry: Int, _ ranges: [Range<Int>]
  ) throws(CutError) -> ISOFraming {
    let others = others[track, default: []]
    let first = others.contains(entry) ? [try bytes(ofTrack: track, entry)] : []
    guard var sets = framing.sets(behind: first) else { return framing }
    for place in ranges.joined() where others.contains(place) {
      for unit in framing.otherSets(in: try bytes(ofTrack: track, place))
      where !sets.isChanged(by: unit) {
        sets.renew([unit])
      }
    }
    return self.framing(ofTrack: track, under: sets.bytes) ?? framing
  }

  private func forget(_ track: Int) {
    slots[track] = nil
    others[track] = nil
  }

  private func forget() {
    slots = [:]
    others = [:]
    spool = nil
  }

  private var countedTimes: [SourceTrack] {
    var tracks = stated
    for place in tracks.indices {
      let track = tracks[place]
      var counted: CodedTrack?
      if track.facts.kind == .video, let rate = track.facts.video?.nominalFrameRate {
        counted = track.coded.counted(framesPerSecond: rate)
      } else if track.facts.kind == .audio, let rate = track.facts.audio?.sampleRate {
        counted = track.coded.counted(
          samplesPerSecond: SoundCodec.clockRate(of: track.facts.codec, stated: rate) ?? rate,
          lengths: samples[place, default: []])
      }
      if let counted {
        if !track.coded.hasTimes(of: counted), !countsFrames(track) {
          tracks[place].roundedBy = try? track.coded.grid.duration(ofTicks: 1)
        }
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
  ) throws(CutError) -> (tracks: [SourceTrack], framings: [Int: ISOFraming]) {
    var framed = tracks
    var found: [Int: ISOFraming] = [:]
    for place in tracks.indices
    where tracks[place].obstacle == nil && kinds.contains(tracks[place].facts.kind) {
      guard let first = tracks[place].coded.packets.firstIndex(where: \.isKey) else { continue }
      let codec = tracks[place].facts.codec
      let isAnnexB = codec.usesNALUnits && tracks[place].framing == .annexB
      guard isAnnexB || codec == .aac && tracks[place].configuration.isEmpty else { continue }
      try prepare([place: [first..<first + 1]])
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

  private func framing(ofTrack track: Int, under sets: [UInt8]) -> ISOFraming? {
    guard !sets.isEmpty,
      let configuration = ISODescription.configuration(of: stated[track], sets: sets, demuxer)
    else { return nil }
    return ISOFraming(
      codec: stated[track].facts.codec, configuration: configuration, sets: sets)
  }
}
