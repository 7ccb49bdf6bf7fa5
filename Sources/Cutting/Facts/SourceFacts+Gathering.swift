import Bitstreams
import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Gathers the facts about a source for planning: cheap ones at once, those that require reading
/// or a library when a plan asks for them.
struct FactsGatherer {
  private let source: any CutSource
  private let limits: Limits
  private(set) var facts: SourceFacts
  /// How many keyframes around a requested one are read with it, by track.
  private var reach: [Int: Int] = [:]

  init(_ source: any CutSource, _ limits: Limits) throws(MediaError) {
    (self.source, self.limits) = (source, limits)
    facts = SourceFacts(
      identity: try SourceIdentity(source), format: source.facts.container.format,
      isISO: source.isISO,
      isQuickTime: source.sampleEntries?.isQuickTime ?? false,
      tracks: Self.tracks(source))
    facts.hasTimecode = SourceTimecode.start(of: source.facts) != nil
    if source.isISO, let movie = source.native?.movie {
      let reported = source.facts.tracks.dropFirst(source.tracks.count)
      facts.covers = zip(reported, movie.coverArt).map {
        SourceFacts.Cover(
          index: $0.index, id: $0.id, codec: $0.codec, byteCount: Int64($1.byteCount))
      }
    }
  }

  private static func tracks(_ source: any CutSource) -> [SourceFacts.Track] {
    source.tracks.indices.map { SourceFacts.Track($0, source.tracks[$0], source) }
  }

  /// Counts times in frames and samples, where an output requires it.
  mutating func count(for rules: ContainerRules) throws(MediaError) {
    guard rules.countsTimes, facts.counted == nil, let counted = try source.counted(for: rules)
    else { return }
    facts.counted = counted.indices.map { index in
      SourceFacts.Track(index, counted[index], source)
    }
  }

  /// Adds what another process learned.
  ///
  /// - Throws: ``MediaError`` where that does not fit the source.
  mutating func take(_ fact: LearnedFact) throws(MediaError) {
    guard facts.add(fact) else {
      throw MediaError(.internalError, "what was learned about it does not fit this file")
    }
  }

  mutating func learn(_ missing: MissingFact) throws(MediaError) -> LearnedFact {
    let fact = try answer(to: missing)
    try take(fact)
    return fact
  }

  private mutating func answer(to missing: MissingFact) throws(MediaError) -> LearnedFact {
    switch missing {
    case .access(let number, let track, let place):
      return .access(source: number, track: track, kinds: access(ofTrack: track, around: place))
    case .holders(let number, let track):
      let (source, place) = source.refitted?.describing(track) ?? (source, track)
      let containers = source.holders(ofTrack: place, facts.counted != nil)
      return .holders(source: number, track: track, containers: containers)
    case .soundEncoder(let number, let codec):
      return .soundEncoder(
        source: number, codec: codec, isAvailable: AudioCoding.isAvailable(for: codec))
    case .codecs(let number):
      do throws(LibavError) {
        try LibavLibrary.load()
      } catch {
        throw MediaError(cutting: error)
      }
      return .codecs(source: number)
    case .decoder(let number, let track):
      return .decoder(source: number, track: track, isAvailable: source.isDecodable(track))
    case .encoder(let number, let track):
      return .encoder(source: number, track: track, isAvailable: source.isEncodable(track))
    case .packetLengths(let number, let track):
      let counts = try source.packetLengths(ofTrack: track)
      return .packetLengths(source: number, track: track, counts: counts)
    case .soundEntry(let number, let track, let place):
      let entry = try source.soundEntry(ofTrack: track, at: place)
      return .soundEntry(source: number, track: track, place: place, entry: entry)
    case .alpha(let number, let track):
      let isThere = try source.decodesToAlpha(track, limits)
      return .alpha(source: number, track: track, isThere: isThere)
    }
  }

  /// After one keyframe, its neighbors are usually requested next.
  private mutating func access(
    ofTrack index: Int, around place: Int
  ) -> [Int: RandomAccessKind] {
    let packets = facts.tracks[index].coded.packets
    let count = reach[index, default: 1]
    reach[index] = min(1 << 24, count * 2)
    var keys = [place]
    // From another machine, each would be a request.
    for step in source.file.isReadSparingly ? [] : [-1, 1] {
      var (at, left) = (place + step, count)
      while packets.indices.contains(at), left > 0 {
        if packets[at].isKey {
          keys.append(at)
          left -= 1
        }
        at += step
      }
    }
    let known = facts.learned[index]?.access ?? [:]
    var kinds: [Int: RandomAccessKind] = [:]
    for key in keys { kinds[key] = known[key] ?? source.access(ofTrack: index, key) }
    return kinds
  }
}

extension CutSource {
  /// The file whose sample entries describe its packets.
  fileprivate var sampleEntries: ISOMovie? {
    unmatched.native?.movie
  }

  /// Its tracks with times counted in frames and samples; `nil` where they already are.
  func counted(for rules: ContainerRules) throws(MediaError) -> [SourceTrack]? {
    guard let own = try unmatched.framed(for: rules, in: PayloadSpool())?.tracks else { return nil }
    return refitted.map { $0.arranged(own, like: $0.leader.tracks) } ?? own
  }
}

extension SourceFacts.Track {
  init(_ index: Int, _ track: SourceTrack, _ source: any CutSource) {
    let facts = track.facts
    self.init(
      id: facts.id, kind: facts.kind, codec: facts.codec, isPresented: facts.isPresented,
      coded: track.coded)
    roundedBy = track.roundedBy
    obstacle = track.obstacle
    overlaps = track.overlaps
    descriptions = track.descriptions
    isDefault = facts.dispositions.contains("default")
    isChapterTrack = track.isChapterTrack
    isTimecode = track.timecode != nil
    isTimedMetadata = track.isTimedMetadata
    isCover = facts.isCoverArt
    attachedByteCount = Int64(track.attachedByteCount)
    // For Theora with repeated pictures, FFmpeg reports the average duration.
    let theora =
      facts.codec == .theora ? TheoraHeader(configuration: track.configuration) : nil
    frameRate =
      facts.codec == .theora ? theora?.framesPerSecond : facts.video?.nominalFrameRate
    positionBits = theora?.positionBits
    if let video = facts.video, video.rotation != 0 || video.isMirrored {
      losesRotation = Set(
        OutputContainer.allCases.filter {
          !$0.isISO && !($0.rules.isMatroska && Muxer.turnsMatroska)
        })
    }
    hasAlpha = track.hasAlpha
    hasSecondLayer = track.hasSecondLayer
    statesReordering = track.statesReordering
    sampleRate = facts.audio?.sampleRate
    sampleBits = track.sampleBits
    sampleCounts = track.sampleLengths
    preSkip = source.isISO ? nil : track.preSkip
    if source.isISO, facts.kind == .audio {
      heardFrom = try? facts.durations.presented?.start?
        .moved(back: source.zero.distance(from: .zero))
    }
    repeatsHeaders = SBRHeaders.mayBe(in: facts)
    isConfigured = !track.configuration.isEmpty
    everyAccess = RandomAccess.kindOfEveryKeyframe(codec: facts.codec)
    if facts.kind == .video, !coded.isReordered,
      RandomAccess.trustsFlags(codec: facts.codec, reorders: track.mayReorder)
    {
      everyAccess = .intra
    }
    if let refitted = source.refitted, let refit = refitted.arrangement.refits[index] {
      self.refit = refit
      everyAccess = .idr
      if let place = refitted.place(ofTrack: index) {
        // Decoding begins where the source's own codec lets it.
        let own = refitted.inner.tracks[place]
        (hasAlpha, hasSecondLayer) = (own.hasAlpha, own.hasSecondLayer)
        lostByRefit = RefitLoss.reasons(own, becoming: track)
        mayLoseAlpha = RefitLoss.mayLoseAlpha(own, becoming: track)
        everyAccess = SourceFacts.Track(place, own, refitted.inner).everyAccess
      }
    }
  }
}

extension SourceTrack {
  /// Samples that are decoded before its time zero: for Opus by RFC 7845, 5.1, otherwise by
  /// Matroska's codec delay (RFC 9559, 5.1.4.1.25).
  fileprivate var preSkip: Int64? {
    guard facts.codec == .opus, configuration.count >= 19 else {
      return codecDelay.map { Int64($0) }
    }
    return Int64(configuration[10]) | Int64(configuration[11]) << 8
  }

  /// As stated by the configuration of FLAC (RFC 9639, 8.2) or ALAC, after its box header, or implied by
  /// what the decoder outputs.
  fileprivate var sampleBits: Int? {
    switch facts.codec {
    case .flac where configuration.count == 34:
      Int(configuration[12] & 1) << 4 + Int(configuration[13] >> 4) + 1
    case .alac where configuration.count >= 36: Int(configuration[17])
    // Decoders of lossless audio output 32-bit samples for anything above 16; those of lossy audio
    // output 16 bits or floating point.
    default: facts.audio?.sampleFormat?.hasPrefix("s32") == true ? 24 : nil
    }
  }

  /// All ALAC packets but the last have the length stated in the configuration, after the box
  /// header; packets of other codecs state their own.
  fileprivate var sampleLengths: [Int32] {
    guard facts.codec == .alac, configuration.count >= 36 else { return sampleCounts }
    let length = configuration[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Array(repeating: Int32(clamping: length), count: coded.packets.count)
  }
}

extension CutSource {
  /// An audio track on the grid of its samples.
  func countedInSamples(_ index: Int) -> CodedTrack {
    SourceFacts.Track(index, tracks[index], self).countedInSamples
  }

  /// Whether there is a decoder for a track; true if opening the file does not determine it.
  fileprivate func isDecodable(_ index: Int) -> Bool {
    let stream = tracks[index].stream
    let answer = try? withDemuxer { (demuxer) throws(MediaError) -> Bool in
      demuxer.tracks.first { $0.index == stream }?.isDecodable ?? true
    }
    return answer ?? true
  }

  /// Whether there is an encoder for a track.
  func isEncodable(_ index: Int) -> Bool {
    let track = tracks[index]
    if track.facts.kind == .audio { return AudioCoding.isAvailable(for: track.facts.codec) }
    let choice = EncoderChoice(
      codec: track.facts.codec, video: track.facts.video, configuration: track.configuration)
    return choice.map { Encoder.isAvailable($0.name) } ?? false
  }
}

extension SourceIdentity {
  /// Enough of the beginning to distinguish files with the same timing.
  private static let headSize = 65536

  init(_ source: any CutSource) throws(MediaError) {
    var times = RunningHash()
    for track in source.tracks {
      times.add(UInt64(track.coded.packets.count))
      for packet in track.coded.packets {
        times.add(UInt64(bitPattern: packet.pts))
        times.add(UInt64(bitPattern: packet.duration) ^ UInt64(packet.byteCount) << 32)
      }
    }
    var head = RunningHash()
    let bytes: [UInt8]
    do {
      bytes = try FileBytes(source.file).read(at: 0, count: Self.headSize)
    } catch {
      throw MediaError(any: error)
    }
    for byte in bytes { head.add(UInt64(byte)) }
    self.init(
      byteCount: source.file.byteCount ?? 0, head: head.value, times: times.value)
  }
}
