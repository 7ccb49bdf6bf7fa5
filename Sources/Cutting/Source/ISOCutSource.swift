import Bitstreams
import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// An MP4 or QuickTime file, read natively: FFmpeg is only needed to decode its edges.
final class ISOCutSource: CutSource {
  var native: ISOCutSource? { self }
  let file: InputFile
  let facts: MediaFacts
  private(set) var tracks: [SourceTrack] = []
  /// Tracks whose edit list has several segments, before any of these is chosen.
  private var edited: [Int: EditedTrack] = [:]
  let zero: MediaTime
  let movie: ISOMovie

  let bytes: FileBytes
  private var tables: [ISOSampleTable] = []
  /// Sample numbers of a track's packets, where some samples are empty.
  private var samples: [Int: ContiguousArray<Int>] = [:]
  /// Number of samples that audio packets state, by track, once read.
  var knownLengths: [Int: [Int32]] = [:]
  /// Converts samples to 4-byte NAL unit lengths, by track.
  private var reframings: [Int: LengthReframing] = [:]
  private var demuxer: OpenDemuxer?
  private let limits: Limits
  let isCancelled: @Sendable () -> Bool

  private final class OpenDemuxer {
    let value: Demuxer
    init(_ value: consuming Demuxer) { self.value = value }
  }

  /// Whether something was asked about a sample that was not read.
  var isIncomplete = false

  /// - Parameter parts: what is read of the fragments between both ends; all of them where `nil`.
  /// - Returns: `nil` when the content is not ISO base media, or does not follow from these parts.
  init?(
    _ file: InputFile, reading parts: [ISOFragmentPart]? = nil, limits: Limits,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) {
    self.file = file
    self.limits = limits
    self.isCancelled = isCancelled
    bytes = FileBytes(file)
    do {
      var isoLimits = ISOLimits()
      isoLimits.samples = limits.samples
      isoLimits.tracks = limits.streams
      if let parts {
        guard let found = try ISOMovie(reading: bytes, limits: isoLimits, parts: parts) else {
          return nil
        }
        movie = found
      } else {
        movie = try ISOMovie(reading: bytes, limits: isoLimits)
      }
      let probe = try ISOProbe(bytes, movie, wantsKeyframes: false, keepsTables: true)
      facts = probe.facts(depth: .header, isSeekable: true)
      zero = facts.durations.presented?.start ?? .zero
      for (index, track) in movie.tracks.enumerated() {
        tables.append(
          try Self.samples(of: track, facts.tracks[index], known: probe.tables[index]))
        try add(track, at: index, probe.timelines[index], probe.strays[index, default: []])
      }
    } catch let error as ISOError where error.code == .notISO {
      return nil
    } catch {
      throw MediaError(any: error)
    }
  }

  /// One piece of a file with several edits.
  private init(_ whole: ISOCutSource, tracks: [SourceTrack]) {
    (file, facts, zero, movie, bytes) = (
      whole.file, whole.facts, whole.zero, whole.movie, whole.bytes
    )
    (limits, isCancelled) = (whole.limits, whole.isCancelled)
    (tables, samples, knownLengths, reframings) = (
      whole.tables, whole.samples, whole.knownLengths, whole.reframings
    )
    self.tracks = tracks
  }

  /// The pieces that one segment of each track's edit list fills, counted from the first presented
  /// sample; empty where no track has several segments.
  func editPieces() throws(MediaError) -> [MediaTimeRange] {
    do throws(ExactTimeError) {
      let lead = try zero.distance(from: .zero)
      guard !edited.isEmpty, let presented = facts.durations.presented,
        let start = try presented.start?.moved(back: lead),
        let end = try presented.end?.moved(back: lead)
      else { return [] }
      var switches: Set<MediaTime> = []
      for track in edited.values where track.facts.isPresented {
        for time in try track.switches() { switches.insert(try time.moved(back: lead)) }
      }
      let inside = switches.filter { start < $0 && $0 < end }.sorted()
      return zip([start] + inside, inside + [end]).compactMap {
        MediaTimeRange(from: $0, to: $1)
      }
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// The same file as one piece of it shows it.
  func piece(_ shown: MediaTimeRange) throws(MediaError) -> ISOCutSource {
    var tracks = tracks
    for (index, track) in edited {
      var (origin, visible, obstacle) = try track.placement(in: shown, zero)
      if track.facts.kind == .video {
        visible = self.shown(
          visible, track.facts, track.coded.grid, from: origin, track.coded.packets)
      }
      var coded = track.coded
      (coded.origin, coded.visible) = (origin, visible)
      tracks[index].coded = Self.countedInSamples(coded, track.facts) ?? coded
      tracks[index].obstacle = track.obstacle ?? obstacle
    }
    return ISOCutSource(self, tracks: tracks)
  }

  private func add(
    _ track: ISOTrack, at index: Int, _ timeline: TrackTimeline?, _ strays: [StrayTimes.Stray]
  ) throws(MediaError) {
    let (facts, table) = (facts.tracks[index], tables[index])
    let grid = TickGrid(ticksPerSecond: track.timescale ?? 1)
    var packets = try packets(of: track, index)
    let edits = timeline?.edits ?? Self.layout(track, movie, table)
    var (origin, visible, obstacle) = try Self.placement(
      edits, grid, zero, hasEdits: !track.edits.isEmpty)
    if facts.kind == .video {
      if let end = presentedEnd(of: facts, grid, from: origin) { packets.endLast(at: end) }
      packets.holdUntilNext()
      visible = shown(visible, facts, grid, from: origin, packets)
    } else if facts.kind == .audio {
      packets.hearInOrder()
      if movie.isFragmented { packets.hearInTurn() }
      if track.edits.isEmpty { visible = Self.heard(visible, facts, grid, packets) }
    }
    let coded = CodedTrack(
      index: index, kind: facts.kind, codec: facts.codec, grid: grid, origin: origin,
      visible: visible, packets: packets)
    var configuration = Self.configuration(track)
    let fault = track.isEncrypted ? "it is encrypted" : Self.backwardClock(packets, facts.kind)
    if edits.segments.count > 1, edits.segments.allSatisfy({ $0.rate == .one }),
      !edits.isOverflowing
    {
      edited[index] = EditedTrack(facts: facts, coded: coded, edits: edits, obstacle: fault)
    }
    reframings[index] = LengthReframing(codec: facts.codec, configuration: configuration)
    configuration = reframings[index]?.configuration ?? configuration
    tracks.append(
      SourceTrack(
        facts: facts, coded: Self.countedInSamples(coded, facts) ?? coded,
        stream: index, configuration: configuration,
        isChapterTrack: track.isChapterTrack, isTimedMetadata: track.handler == "meta",
        timecode: Self.timecode(track),
        isReframed: reframings[index] != nil,
        strays: self.strays(strays, ofTrack: index, grid),
        obstacle: track.isEncrypted ? fault : obstacle ?? fault))
  }

  /// The samples that are inside the file and not empty: without bytes or a picture nothing new
  /// is shown, and the previous one stays on screen.
  private func packets(
    of track: ISOTrack, _ index: Int
  ) throws(MediaError) -> ContiguousArray<CodedPacket> {
    let table = tables[index]
    let (isMedia, isComplete) = (facts.tracks[index].isPresented, track.placement.isComplete)
    let reader =
      facts.tracks[index].kind == .video
      ? ISOSampleReader(file: bytes, track: track, table: table) : nil
    var packets: ContiguousArray<CodedPacket> = []
    packets.reserveCapacity(table.count)
    // Only set if some are left out.
    var numbers: ContiguousArray<Int>?
    var keys = table.entryIndices?.makeIterator()
    var nextKey = keys?.next()
    for sample in 0..<table.count {
      let isKey = keys == nil || sample == nextKey
      if sample == nextKey { nextKey = keys?.next() }
      if sample & 0xFFFF == 0, isCancelled() { throw MediaError.cancelled }
      // Past the end of a truncated file there is nothing to cut.
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
    if table.isOrderedByPictures { packets.orderDecoding() }
    return packets
  }

  /// The stated PTS of strays by place.
  private func strays(
    _ strays: [StrayTimes.Stray], ofTrack track: Int, _ grid: TickGrid
  ) -> [Int: MediaTime] {
    let numbers = samples[track]
    var stated: [Int: MediaTime] = [:]
    for stray in strays {
      let place = numbers.map { $0.firstIndex(of: stray.index) } ?? stray.index
      if let place, let time = try? grid.time(atTick: stray.stated) { stated[place] = time }
    }
    return stated
  }

  /// Whether a sample was not read, which was asked about.
  func isUnread(_ sample: Int, ofTrack track: Int) -> Bool {
    guard movie.tracks[track].assumed?.contains(sample) == true else { return false }
    isIncomplete = true
    return true
  }

  /// The sample number of a packet.
  func sample(ofTrack track: Int, _ place: Int) -> Int { samples[track]?[place] ?? place }

  private func isInside(_ sample: Int, _ table: ISOSampleTable) -> Bool {
    guard let offset = table.offset(sample), offset >= 0, offset <= bytes.byteCount else {
      return false
    }
    return Int64(table.byteCount(sample)) <= bytes.byteCount - offset
  }

  func table(ofTrack track: Int) -> ISOSampleTable { tables[track] }

  private var boxes: ISOSourceBoxes?

  /// The header boxes to carry over.
  func readBoxes() throws(MediaError) -> ISOSourceBoxes {
    if let boxes { return boxes }
    do {
      var boxes = try ISOSourceBoxes(reading: bytes, listed: movie.topLevel)
      for place in boxes.tracks.indices where movie.tracks.indices.contains(place) {
        guard movie.tracks[place].statedTimescale != nil,
          let timescale = movie.tracks[place].timescale.flatMap({ UInt32(exactly: $0) })
        else { continue }
        boxes.tracks[place].timescale = timescale
      }
      self.boxes = boxes
      return boxes
    } catch {
      throw MediaError(error)
    }
  }

  /// Samples are read where they are.
  func prepare(_ needed: [Int: [Range<Int>]]) {}

  /// MP4 does not support alpha channels.
  func alpha(ofTrack track: Int, _ place: Int) -> [UInt8]? { nil }

  func bytes(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8] {
    let bytes = try stored(sample(ofTrack: track, place), ofTrack: track)
    return reframings[track]?.sample(bytes) ?? bytes
  }

  /// Samples grow if their length fields do.
  func byteCount(ofTrack track: Int, _ place: Int) throws(MediaError) -> Int {
    reframings[track] == nil
      ? tracks[track].coded.packets[place].byteCount : try bytes(ofTrack: track, place).count
  }

  /// The file offset of a packet's bytes; `nil` where they are reframed.
  func offset(ofTrack track: Int, _ place: Int) -> Int64? {
    let sample = sample(ofTrack: track, place)
    return reframings[track] == nil && !isUnread(sample, ofTrack: track)
      ? tables[track].offset(sample) : nil
  }

  private func stored(_ place: Int, ofTrack track: Int) throws(MediaError) -> [UInt8] {
    let table = tables[track]
    let count = table.byteCount(place)
    if isUnread(place, ofTrack: track) {
      throw MediaError(
        .internalError, "sample \(place) of track \(track) was requested that was not read")
    }
    guard let offset = table.offset(place) else {
      throw MediaError(
        .damaged, "sample \(place + 1) of track \(track + 1) has no position in the file")
    }
    return try stored(at: offset, count)
  }

  private func stored(at offset: Int64, _ count: Int) throws(MediaError) -> [UInt8] {
    let read: [UInt8]
    do {
      read = try bytes.read(at: offset, count: count)
    } catch {
      throw MediaError(any: error)
    }
    guard read.count == count else {
      throw MediaError(
        .inputChanged,
        "the file ended at byte \(offset + Int64(read.count)) while it was being read",
        hint: "The file was changed; try again.")
    }
    return read
  }

  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    let source = tracks[track]
    let framing = reframings[track]?.stated ?? source.framing
    let sample = sample(ofTrack: track, place)
    if isUnread(sample, ofTrack: track) { return .unknown }
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

  /// Covers are listed after all tracks.
  func cover(ofTrack index: Int) throws(MediaError) -> [UInt8] {
    let covers = movie.coverArt.dropFirst(index - tracks.count)
    guard index >= tracks.count, let cover = covers.first else {
      throw MediaError(.internalError, "there is no cover at \(index)")
    }
    return try stored(at: cover.byteOffset, cover.byteCount)
  }

  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    if let demuxer { return try body(demuxer.value) }
    var opened = try open(.headers)
    // FFmpeg leaves the picture size of MPEG-4 part 2 and H.263 to the decoders, and parameter
    // sets missing from headers to the parsers; muxers require both.
    if !opened.value.describesTracks || tracks.contains(where: \.lacksParameterSets) {
      opened = try open(.streams)
    }
    demuxer = opened
    return try body(opened.value)
  }

  private func open(_ preparation: Demuxer.Preparation) throws(MediaError) -> OpenDemuxer {
    do {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      let whole = PatchedMovie.input(of: file, movie)
      return OpenDemuxer(
        try Demuxer(
          whole ?? (preparation == .headers ? front : nil) ?? file, preparation: preparation,
          editLists: .ignored, limits: limits.demuxer))
    } catch {
      throw MediaError(cutting: error)
    }
  }
}
