import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

extension CutProof {
  private typealias Flaw = (place: Int, text: String)

  /// Determines why a file differs from its plan, or why its container does not accept a packet.
  ///
  /// It is our fault, unless the source is damaged in a packet that this track of the cut
  /// requires, up to the place where the file begins to differ; or its audio has a gap there, or
  /// two packets with the same PTS, which most containers cannot express. Damage elsewhere is no
  /// excuse.
  func blamed(_ error: MediaError) -> MediaError {
    let isRefused = error.code == .codecDoesNotFit
    guard isRefused || error.code == .verificationFailed else { return error }
    for index in error.difference.map({ [$0.track] }) ?? Array(tracks.indices) {
      let track = source.tracks[tracks[index].source]
      if let unopened = unopened(track) { return unopened }
      let needed = needed(index, upTo: error.difference?.packet)
      if !isRefused, let gap = gap(in: needed, track) {
        return .damaged(track, places: gap, "audio packets are missing")
      }
      if !isRefused, let overlap = overlap(in: needed, track) {
        return .damaged(
          track, places: overlap,
          "audio packets overlap, and \(container.rules.ending) has no timestamps to show it")
      }
      if !isRefused, let double = double(in: needed, track) {
        return .damaged(track, places: double, "two audio packets have the same PTS")
      }
      if !isRefused, let parted = parted(in: needed, track) {
        return .damaged(track, places: parted, "a packet ends in the middle of a sample")
      }
      if !isRefused, let stray = stray(in: needed, track) {
        return .damaged(track, places: stray, Self.strayText)
      }
      do throws(MediaError) {
        var flaw = try fault(in: needed, index)
        if flaw == nil, !isRefused { flaw = try undecodable(needed, index) }
        if let flaw { return .damaged(track, places: [flaw.place], flaw.text) }
      } catch {
        // If the source cannot be examined, no cause is found.
        if error.code == .cancelled { return error }
      }
    }
    return error
  }

  /// How many packets after a difference may cause it: readers look ahead; in Ogg the timestamps
  /// of all packets of a page, at most 255, are derived from its end (RFC 3533, 6).
  private var reach: Int { container.rules.audio.endsByPosition ? 255 : 2 }

  /// The source packets that a track is made of, from where decoding of them begins.
  private func needed(_ index: Int, upTo packet: Int?) -> Range<Int> {
    let track = tracks[index]
    let packets = source.tracks[track.source].coded.packets
    var places = track.packets.map(\.place)
    if let packet { places = Array(places.prefix(packet + 1 + reach)) }
    if track.made != nil, let cut = track.audio { places = Array(cut.copied) }
    guard var first = places.min(), let last = places.max(), last < packets.count else {
      return 0..<0
    }
    if track.video != nil {
      while first > 0, !packets[first].isKey { first -= 1 }
    }
    return first..<last + 1
  }

  /// Two audio packets with a missing one between them.
  private func gap(in needed: Range<Int>, _ track: SourceTrack) -> [Int]? {
    guard track.facts.kind == .audio else { return nil }
    var rest = needed
    while let first = rest.first {
      // What lies between two files is no gap.
      let own = rest.clamped(to: source.holder(ofTrack: track.coded.index, first).places)
      if let gap = track.coded.firstMissing(in: own) { return [gap, gap + 1] }
      rest = max(first + 1, own.upperBound)..<max(first + 1, rest.upperBound)
      if own.isEmpty { return nil }
    }
    return nil
  }

  /// Refuses copied packets after a gap in containers without audio timestamps: all would be
  /// heard too early.
  func checkGaps(_ index: Int) throws(MediaError) {
    let track = tracks[index]
    guard track.made == nil, track.sounds.count <= 1,
      AudioCodec.hasEqualPackets(track.codec(in: source)),
      let gap = gap(in: needed(index, upTo: nil), source.tracks[track.source])
    else { return }
    throw .damaged(
      source.tracks[track.source], places: gap, "audio packets are missing")
  }

  /// Refuses a PTS far ahead where DTS must precede it: all other PTS would be that far from
  /// their DTS.
  func checkStray(_ index: Int) throws(MediaError) {
    let track = source.tracks[tracks[index].source]
    guard [.mpegts, .m2ts].contains(container),
      let stray = stray(in: needed(index, upTo: nil), track)
    else { return }
    throw .damaged(track, places: stray, Self.strayText)
  }

  private static let strayText =
    "the PTS of a frame is seconds away from those of its neighbors"

  /// Two audio packets that overlap, where only packet durations determine when they are heard.
  private func overlap(in needed: Range<Int>, _ track: SourceTrack) -> [Int]? {
    guard !container.rules.audio.stampsPackets, track.facts.kind == .audio,
      AudioCodec.hasEqualPackets(track.facts.codec)
    else { return nil }
    return track.coded.firstOverlap(in: needed).map { [$0, $0 + 1] }
  }

  /// Two audio packets with the same PTS and nonzero durations.
  private func double(in needed: Range<Int>, _ track: SourceTrack) -> [Int]? {
    guard track.facts.kind == .audio else { return nil }
    let packets = track.coded.packets
    return needed.dropLast().first {
      packets[$0].duration > 0 && packets[$0 + 1].duration > 0
        && packets[$0].pts == packets[$0 + 1].pts
    }.map { [$0, $0 + 1] }
  }

  /// A packet of uncompressed audio that is not a whole number of samples of all channels; only
  /// the last one may be.
  private func parted(in needed: Range<Int>, _ track: SourceTrack) -> [Int]? {
    guard let size = AudioCodec.sampleSize(of: track.facts.codec),
      let channels = track.facts.audio?.channels, size * channels > 1
    else { return nil }
    return needed.dropLast().first { track.coded.packets[$0].byteCount % (size * channels) != 0 }
      .map { [$0] }
  }

  /// A picture whose PTS is more than ten seconds, and more than 16 frame durations, after that
  /// of the picture decoded 17 later (or of the last one): no decoder waits that long, and a
  /// clock that jumps that far ahead counts as reset.
  private func stray(in needed: Range<Int>, _ track: SourceTrack) -> [Int]? {
    let packets = track.coded.packets
    guard track.facts.kind == .video,
      let least = try? track.coded.grid.ticks(of: StreamScan.leastJump, rounding: .up)
    else { return nil }
    let most = max(least, 16 &* (track.coded.usualDuration(of: needed) ?? 0))
    return needed.dropLast().first { place in
      packets[place].pts &- packets[min(place + 17, needed.upperBound - 1)].pts > most
    }.map { [$0] }
  }

  /// An error if no decoder can be opened with the track's headers: without them, no reader knows
  /// the codec's packet durations.
  private func unopened(_ track: SourceTrack) -> MediaError? {
    let extradata = track.isReframed ? track.configuration : nil
    let error = try? source.withDemuxer { demuxer throws(MediaError) -> LibavError? in
      do throws(LibavError) {
        _ = try demuxer.decoder(
          forStream: track.stream, extradata: extradata, log: LibavLog())
      } catch {
        return error
      }
      return nil
    }
    guard let error, error.kind == .invalidData else { return nil }
    return .damaged(track, places: [], error.message)
  }

  /// Faults that a decoder reports although the structure is valid: for example slices of several
  /// pictures in one packet, which readers with parsers split; or pictures in a different order
  /// than their PTS.
  private func undecodable(
    _ needed: Range<Int>, _ index: Int
  ) throws(MediaError) -> Flaw? {
    guard tracks[index].video != nil, !needed.isEmpty else { return nil }
    let entry = cleanEntry(atOrBefore: needed.lowerBound, index)
    let result = try sourceDecoder(index).decode(from: entry, through: needed.upperBound)
    let fault = result.faults.filter { needed.contains($0.key) }.min { $0.key < $1.key }
    if let fault { return (place: fault.key, text: fault.value) }
    let written = Set(tracks[index].packets.map(\.place))
    return result.disorder { needed.contains($0) && written.contains($0) }.map {
      (place: $0, text: MediaError.disorderText)
    }
  }

  private func fault(
    in needed: Range<Int>, _ index: Int
  ) throws(MediaError) -> Flaw? {
    let number = tracks[index].source
    let track = source.tracks[number]
    var inspector = PacketInspector(
      codec: track.facts.codec, configuration: track.configuration, framing: track.framing)
    guard !needed.isEmpty else { return nil }
    try source.prepare([number: [0..<1, needed]])
    // The others must be like the first packet: frames with headers.
    _ = inspector.fault(in: try source.bytes(ofTrack: number, 0))
    var before: ADTSHeader?
    for place in needed {
      if place & 0xFFF == 0, isCancelled() { throw MediaError.cancelled }
      if track.corrupt.contains(place) { return (place, "the container marks it as damaged") }
      let bytes = try source.bytes(ofTrack: number, place)
      if let fault = inspector.fault(in: bytes) { return (place, fault.text) }
      guard track.facts.codec == .aac, let header = ADTSHeader(bytes) else { continue }
      if let before, before.sampleRate != header.sampleRate {
        return (place, "its header states a different sample rate than those before it")
      }
      if let before, before.channels != header.channels {
        return (place, "its header states different channels than those before it")
      }
      before = header
    }
    return nil
  }
}
