#if FFmpeg
  import Bitstreams
  import ExactTime
  import ISOMedia
  import Libav
  import MediaFacts
  import MediaFiles
  import Probing
  import Trimming

  /// An MP4 or QuickTime movie, read natively: FFmpeg is only needed to decode its edges.
  final class ISOCutSource: CutSource {
    let file: InputFile
    let facts: MediaFacts
    private(set) var tracks: [SourceTrack] = []
    let zero: MediaTime
    let movie: ISOMovie

    private let bytes: FileBytes
    private var tables: [ISOSampleTable] = []
    /// The numbers of the samples that the packets of a track are, where some samples hold nothing.
    private var samples: [Int: ContiguousArray<Int>] = [:]
    /// How samples get lengths of four bytes, by track.
    private var reframings: [Int: LengthReframing] = [:]
    private var demuxer: OpenDemuxer?
    private let limits: Limits
    private let isCancelled: @Sendable () -> Bool

    private final class OpenDemuxer {
      let value: Demuxer
      init(_ value: consuming Demuxer) { self.value = value }
    }

    /// `nil` when the content is not ISO base media.
    init?(
      _ file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool
    ) throws(CutError) {
      self.file = file
      self.limits = limits
      self.isCancelled = isCancelled
      bytes = FileBytes(file)
      do {
        var isoLimits = ISOLimits()
        isoLimits.samples = limits.samples
        isoLimits.tracks = limits.streams
        movie = try ISOMovie(reading: bytes, limits: isoLimits)
        let probe = try ISOProbe(bytes, movie, wantsKeyframes: false, keepsTables: true)
        facts = probe.facts(depth: .header, isSeekable: true)
        zero = facts.durations.presented?.start ?? .zero
        for (index, track) in movie.tracks.enumerated() {
          tables.append(
            try Self.samples(of: track, facts.tracks[index], known: probe.tables[index]))
          try add(track, at: index, probe.timelines[index])
        }
        stated = tracks
      } catch let error as ISOError {
        if error.code == .notISO { return nil }
        throw CutError(ProbeError(error))
      } catch let error as CutError {
        throw error
      } catch {
        throw CutError(.internalError, "\(error)")
      }
    }

    /// What is a packet of the track: a sample, or of uncompressed sound many.
    private static func samples(
      of track: ISOTrack, _ facts: TrackFacts, known: ISOSampleTable?
    ) throws(ISOError) -> ISOSampleTable {
      if SoundCodec.isUncompressed(facts.codec), let runs = track.runsOfSamples(most: mostSamples) {
        return runs
      }
      if facts.kind == .audio, let packets = track.packetsOfSamples() { return packets }
      if let known { return known }
      return try track.samples(.timesAndPlaces)
    }

    /// As many as FFmpeg puts into one packet.
    private static let mostSamples = 1024

    private func add(
      _ track: ISOTrack, at index: Int, _ timeline: TrackTimeline?
    ) throws(CutError) {
      let facts = facts.tracks[index]
      let table = tables[index]
      let grid = TickGrid(ticksPerSecond: track.timescale ?? 1)
      var packets = try packets(of: track, index)
      var (origin, visible, obstacle) = try Self.placement(
        timeline?.edits ?? Self.layout(track, movie, table), grid, zero,
        hasEdits: !track.edits.isEmpty)
      if facts.kind == .video {
        if track.edits.isEmpty { Self.endLast(&packets, facts, grid) }
        packets.holdUntilNext()
        visible = shown(visible, facts, grid, from: origin)
      } else if facts.kind == .audio {
        packets.hearInOrder()
        if track.edits.isEmpty { visible = Self.heard(visible, facts, grid, packets) }
      }
      var configuration = Self.configuration(track)
      reframings[index] = LengthReframing(codec: facts.codec, configuration: configuration)
      configuration = reframings[index]?.configuration ?? configuration
      tracks.append(
        SourceTrack(
          facts: facts,
          coded: CodedTrack(
            index: index, kind: facts.kind, codec: facts.codec, grid: grid, origin: origin,
            visible: visible, packets: packets),
          stream: index, configuration: configuration,
          isChapterTrack: track.isChapterTrack, timecode: Self.timecode(track),
          isReframed: reframings[index] != nil,
          obstacle: track.isEncrypted
            ? "it is encrypted" : obstacle ?? Self.backwardClock(packets, facts.kind)))
    }

    /// Without frames at the start that nothing allows to decode.
    private func shown(
      _ visible: Range<Int64>, _ facts: TrackFacts, _ grid: TickGrid, from origin: MediaTime
    ) -> Range<Int64> {
      guard let presented = facts.durations.presented else { return 0..<0 }
      guard let start = presented.start,
        let shown = try? start.moved(back: zero.distance(from: .zero)),
        let lead = try? shown.distance(from: origin),
        let first = try? grid.ticks(of: lead, rounding: .up), first > visible.lowerBound
      else { return visible }
      return first..<max(first, visible.upperBound)
    }

    /// Without what an encoder of AAC puts before the sound, where the sound itself or a tag says so.
    private static func heard(
      _ visible: Range<Int64>, _ facts: TrackFacts, _ grid: TickGrid,
      _ packets: ContiguousArray<CodedPacket>
    ) -> Range<Int64> {
      guard facts.codec == "aac", let audio = facts.audio, let priming = audio.priming, priming > 0,
        let rate = audio.sampleRate, rate > 0, let first = packets.first?.pts,
        let length = try? TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(priming)),
        let ticks = try? grid.ticks(of: length, rounding: .up)
      else { return visible }
      let start = max(visible.lowerBound, first &+ ticks)
      return start..<max(start, visible.upperBound)
    }

    /// Fragments state when they begin: that of damaged ones may lie before the end of the last.
    private static func backwardClock(
      _ packets: ContiguousArray<CodedPacket>, _ kind: TrackKind
    ) -> String? {
      guard kind == .audio,
        zip(packets, packets.dropFirst()).contains(where: { $1.dts < $0.dts })
      else { return nil }
      return "its clock is set back in the middle"
    }

    /// The samples that lie inside the file and hold something: one without bytes or without a picture
    /// shows nothing, and the one before is shown on.
    private func packets(
      of track: ISOTrack, _ index: Int
    ) throws(CutError) -> ContiguousArray<CodedPacket> {
      let table = tables[index]
      let isMedia = facts.tracks[index].isPresented
      let isComplete = track.placement.isComplete
      let reader =
        facts.tracks[index].kind == .video
        ? ISOSampleReader(file: bytes, track: track, table: table) : nil
      var packets: ContiguousArray<CodedPacket> = []
      packets.reserveCapacity(table.count)
      // Where some are left out.
      var numbers: ContiguousArray<Int>?
      var keys = table.syncIndices?.makeIterator()
      var nextKey = keys?.next()
      for sample in 0..<table.count {
        let isKey = keys == nil || sample == nextKey
        if sample == nextKey { nextKey = keys?.next() }
        if sample & 0xFFFF == 0, isCancelled() { throw CutError(.cancelled, "it was cancelled") }
        // Behind the end of a damaged file there is nothing to cut.
        if !isComplete, !isInside(sample, table) {
          if packets.isEmpty, isMedia { throw Self.cutShort(facts.tracks[index], bytes.byteCount) }
          break
        }
        let found = table.sample(sample)
        if isMedia, found.byteCount == 0 || reader?.showsNothing(sample) == true {
          if let last = packets.indices.last { packets[last].duration += found.duration }
          numbers = numbers ?? ContiguousArray(packets.indices)
          continue
        }
        numbers?.append(sample)
        packets.append(
          CodedPacket(
            pts: found.presented, dts: found.decoded, duration: found.duration,
            byteCount: found.byteCount, isKey: isKey))
      }
      samples[index] = numbers
      return packets
    }

    private static func cutShort(_ track: TrackFacts, _ byteCount: Int64) -> CutError {
      CutError(
        .damaged,
        "the source is damaged: it ends at byte \(byteCount), before the first sample of track "
          + "\(track.id) (\(track.codec))",
        hint: "Get the whole file; nothing of this track can be shown.")
    }

    /// A last picture without a duration is shown as long as the track is.
    private static func endLast(
      _ packets: inout ContiguousArray<CodedPacket>, _ track: TrackFacts, _ grid: TickGrid
    ) {
      guard let last = packets.indices.max(by: { packets[$0].pts < packets[$1].pts }),
        packets[last].duration == 0, let shown = track.durations.presented,
        let start = shown.start, let end = try? start.advanced(by: shown.length),
        let tick = try? grid.tick(of: end, rounding: .nearest), tick > packets[last].pts
      else { return }
      packets[last].duration = tick &- packets[last].pts
    }

    /// The number of the sample that a packet is.
    func sample(ofTrack track: Int, _ place: Int) -> Int { samples[track]?[place] ?? place }

    private func isInside(_ sample: Int, _ table: ISOSampleTable) -> Bool {
      guard let offset = table.offset(sample), offset >= 0, offset <= bytes.byteCount else {
        return false
      }
      return Int64(table.byteCount(sample)) <= bytes.byteCount - offset
    }

    private static func timecode(
      _ track: ISOTrack
    ) -> (samples: [ISOTimecode.Sample], length: MediaDuration)? {
      guard let code = track.timecode, let frame = code.startFrame, code.timescale > 0 else {
        return nil
      }
      return (
        [.init(tick: 0, frame: frame)] + code.later,
        MediaDuration(Int64(code.frameDuration), Int64(code.timescale))
      )
    }

    private static func configuration(_ track: ISOTrack) -> [UInt8] {
      guard let entry = track.sampleEntries.first else { return [] }
      for box: FourCC in ["avcC", "hvcC", "av1C", "vpcC"] {
        if let bytes = entry.configuration(box) { return bytes }
      }
      if let bytes = entry.configuration("dOps") { return opusHead(bytes) }
      // A full box, and the header of the metadata block (Encapsulation of FLAC in ISO Base Media).
      if let bytes = entry.configuration("dfLa"), bytes.count >= 42 { return Array(bytes[8..<42]) }
      return entry.elementaryStream?.decoderConfiguration ?? []
    }

    /// The identification header of Opus (RFC 7845, 5.1), whose numbers stand the other way round in
    /// MP4 (Encapsulation of Opus in ISO Base Media, 4.3.2).
    private static func opusHead(_ box: [UInt8]) -> [UInt8] {
      guard box.count >= 11 else { return [] }
      return Array("OpusHead".utf8) + [1, box[1]] + box[2..<4].reversed() + box[4..<8].reversed()
        + box[8..<10].reversed() + box[10...]
    }

    /// The edit list of a track that is not presented by itself: subtitles, timecode.
    private static func layout(
      _ track: ISOTrack, _ movie: ISOMovie, _ table: ISOSampleTable
    ) -> EditedTimeline {
      EditedTimeline(
        edits: track.edits.map {
          EditedTimeline.Edit(
            length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
        },
        grid: TickGrid(ticksPerSecond: track.timescale ?? 1),
        film: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
        mediaEnd: table.count > 0 ? table.presentationEnd(table.count - 1) : 0,
        isFragmented: movie.isFragmented)
    }

    /// Where the media's tick 0 would be shown, and which ticks are.
    private static func placement(
      _ timeline: EditedTimeline, _ grid: TickGrid, _ zero: MediaTime, hasEdits: Bool
    ) throws(CutError) -> (MediaTime, Range<Int64>, String?) {
      let everything = Int64.min / 4..<Int64.max / 4
      do {
        guard let segment = timeline.segments.first else {
          return (.zero, 0..<0, "its edit list shows nothing")
        }
        let lead = try grid.duration(ofTicks: segment.mediaStart)
        let origin = try segment.start.moved(back: lead)
          .moved(back: zero.distance(from: .zero))
        let end = try segment.mediaEnd?.rounded(.up) ?? everything.upperBound
        guard timeline.segments.count == 1, segment.rate == .one, !timeline.isOverflowing else {
          return (
            origin, everything, "its edit list joins several parts or plays at another speed"
          )
        }
        let start = hasEdits ? segment.mediaStart : everything.lowerBound
        return (origin, start..<max(start, end), nil)
      } catch {
        throw CutError.beyondNumbers
      }
    }

    func table(ofTrack track: Int) -> ISOSampleTable { tables[track] }

    /// What the header says, as bytes to carry over.
    func readBoxes() throws(CutError) -> ISOSourceBoxes {
      do {
        return try ISOSourceBoxes(reading: bytes)
      } catch {
        throw CutError(ProbeError(error))
      }
    }

    /// Times are exact, and framed as MP4 has them; only sizes may become others (``prepare(_:)``).
    private(set) var stated: [SourceTrack] = []
    /// Times are exact already, and packets framed as MP4 has them.
    func counted() -> [SourceTrack]? { nil }
    func adapt(to container: OutputContainer, encoding: Set<Int>) {}

    /// Samples that get longer lengths get longer themselves.
    func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError) {
      for (track, ranges) in needed where reframings[track] != nil {
        for place in ranges.joined() {
          tracks[track].coded.packets[place].byteCount = try bytes(ofTrack: track, place).count
        }
      }
    }

    func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8] {
      let bytes = try stored(sample(ofTrack: track, place), ofTrack: track)
      return reframings[track]?.sample(bytes) ?? bytes
    }

    /// Where the bytes of a packet stand in the file; `nil` where they are handed out in another framing.
    func offset(ofTrack track: Int, _ place: Int) -> Int64? {
      reframings[track] == nil ? tables[track].offset(sample(ofTrack: track, place)) : nil
    }

    private func stored(_ place: Int, ofTrack track: Int) throws(CutError) -> [UInt8] {
      let table = tables[track]
      let count = table.byteCount(place)
      guard let offset = table.offset(place) else {
        throw CutError(
          .damaged, "sample \(place + 1) of track \(track + 1) has no place in the file")
      }
      let read: [UInt8]
      do {
        read = try bytes.read(at: offset, count: count)
      } catch let fault as InputFault {
        throw CutError(ProbeError(fault))
      } catch {
        throw CutError(.internalError, "\(error)")
      }
      guard read.count == count else {
        throw CutError(
          .inputChanged, "the file ended at byte \(offset + Int64(read.count)) while it was read",
          hint: "Something changed the file; try again.")
      }
      return read
    }

    func sampleCounts(ofTrack track: Int) -> [Int32] { [] }

    func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
      let source = tracks[track]
      let framing = reframings[track]?.stated ?? source.framing
      let sample = sample(ofTrack: track, place)
      for limit in [4096, 65536] {
        let count = min(limit, tables[track].byteCount(sample))
        guard let offset = tables[track].offset(sample),
          let start = try? bytes.read(at: offset, count: count)
        else { return .unknown }
        let access = RandomAccess.classify(
          codec: source.facts.codec, start[...], framing: framing)
        if access != .unknown || count < limit { return access }
      }
      return .unknown
    }

    func withDemuxer<Result>(
      _ body: (borrowing Demuxer) throws(CutError) -> Result
    ) throws(CutError) -> Result {
      if let demuxer { return try body(demuxer.value) }
      var opened = try open(.headers)
      // FFmpeg leaves the size of MPEG-4 part 2 and H.263 to their decoders, and parameter sets that
      // no header holds to their parsers; muxers want them.
      if !opened.value.describesTracks || tracks.contains(where: \.lacksParameterSets) {
        opened = try open(.streams)
      }
      demuxer = opened
      return try body(opened.value)
    }

    private func open(_ preparation: Demuxer.Preparation) throws(CutError) -> OpenDemuxer {
      do {
        try LibavLibrary.limitAllocations(to: limits.allocation)
        return OpenDemuxer(
          try Demuxer(
            file, preparation: preparation, editLists: .ignored, limits: limits.demuxer))
      } catch {
        throw CutError(error)
      }
    }
  }
#endif
