import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A file as an output requires its packets: MP4 requires times counted in frames and samples, and its
/// own packet framing; AVI requires AAC without ADTS headers, as MP4 does.
final class FramedSource: DerivedSource, StoringSource {
  private let source: PacketCutSource
  private(set) var tracks: [SourceTrack]
  /// How packets are converted to samples, by track.
  private var framings: [Int: ISOFraming]
  /// Places of packets that were read whose parameter sets are missing in the framing's configuration,
  /// by track.
  private var others: [Int: Set<Int>] = [:]
  let store: PacketStore

  init(
    _ source: PacketCutSource, _ tracks: [SourceTrack], _ framings: [Int: ISOFraming],
    _ spool: PayloadSpool
  ) {
    (self.source, self.tracks, self.framings) = (source, tracks, framings)
    store = PacketStore(spool)
  }

  var base: any CutSource { source }

  func prepare(_ needed: [Int: [Range<Int>]]) throws(MediaError) {
    try store.add(needed, of: source) { (track, place, bytes) throws(MediaError) in
      guard let framing = framings[track] else { return bytes }
      let sample = try framing.sample(bytes)
      if !framing.otherSets(in: sample).isEmpty { others[track, default: []].insert(place) }
      return sample
    }
  }

  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    source.access(ofTrack: track, place)
  }
}

/// What depends on the packets that a plan takes.
extension FramedSource {
  /// Describes an AAC track that loses its frame headers by what some of its packets state.
  func describe(_ track: Int, as run: AudioDescriptions.Run) {
    guard framings[track] != nil, let framing = ISOFraming(run) else { return }
    framings[track] = framing
    tracks[track].configuration = framing.configuration
  }

  /// Describes a video track by the headers at a packet, whose format differs from the file's
  /// first pictures.
  func describe(_ track: Int, as format: CodedFormat, at place: Int) throws(MediaError) {
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

  /// Determines the parameter sets of MP4 samples: those active at the first copied packet.
  ///
  /// - Parameters:
  ///   - copied: ranges of places, by track, in output order; already prepared.
  ///   - changing: tracks whose format changes, so that edges bring their own parameter sets.
  /// - Returns: tracks in which sets replace each other: all sets stay in the samples.
  func settleSets(
    copying copied: [Int: [Range<Int>]], changing: Set<Int>
  ) throws(MediaError) -> Set<Int> {
    // Length-prefixed packets keep their in-band parameter sets.
    var kept = changing.filter { framings[$0] == nil && tracks[$0].framing != .annexB }
    for (track, ranges) in copied {
      guard let framing = framings[track], let entry = ranges.first?.first,
        bringsOthers(track, in: ranges) || changing.contains(track)
      else { continue }
      let renewed = try renewed(framing, track, from: entry, ranges)
      framings[track] = renewed
      tracks[track].configuration = renewed.configuration
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
  ) throws(MediaError) -> ISOFraming {
    let others = others[track, default: []]
    let first = others.contains(entry) ? [try bytes(ofTrack: track, entry)] : []
    guard var sets = framing.sets(behind: first) else { return framing }
    for place in ranges.joined() where others.contains(place) {
      for unit in framing.otherSets(in: try bytes(ofTrack: track, place))
      where !sets.isChanged(by: unit) {
        sets.renew([unit])
      }
    }
    return source.framing(ofTrack: track, under: sets.bytes) ?? framing
  }

  private func forget(_ track: Int) {
    store.forget(track)
    others[track] = nil
  }
}
