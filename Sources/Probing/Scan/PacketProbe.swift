import Bitstreams
package import ExactTime
package import Libav
package import MediaFacts
package import MediaFiles

/// Reads every packet of a file through FFmpeg and adds up what is presented.
package struct PacketProbe {
  var facts: MediaFacts
  var scan = FileScan()
  var stretches: [Int: [Int]] = [:]
  var stamps: PacketStamps
  /// The last packet of raw FLAC: only its end shows whether it is complete.
  var held: (stamp: PacketStamp, bytes: [UInt8], stream: Int)?
  /// FFmpeg's reason for stopping before the end.
  package private(set) var endReason: String?
  /// Whether the headers of a bare video stream state its frame rate.
  private let statesRate: Bool
  let wantsKeyframes: Bool
  package var wantsFrames = false
  /// What is known besides packets where only those at both ends are read.
  var bothEnds: Ends?
  /// What follows from the packets that are read, where only parts of the file are.
  package var unread: UnreadPackets?
  let format: String
  let rules: SourceRules
  let input: InputFile
  private let link: OggChain.Link?
  /// What a Musepack file states about its length.
  let musepack: MusepackHeader?
  /// By stream, the numbers of packets that FFmpeg marks as corrupt although they are complete.
  private(set) var whole = PerStream<Set<Int>>()
  /// The times of packets without a PTS, by stream, where they follow from neighboring packets.
  package private(set) var filled: [Int: [Int: Int64]] = [:]
  /// How many empty AVI chunks follow the last picture of a stream, if any.
  package internal(set) var repeats: [Int: Int64] = [:]
  /// Where the latest packet of a video stream ends.
  var ends = PerStream<Int64>()
  /// Where the truncated last frame of a stream begins.
  package internal(set) var cutShortFrames: [Int: Int64] = [:]
  /// Pictures that FFmpeg misreads as something else.
  private var foreign: ForeignPictures?
  private var foreignSound: ForeignAudio?

  /// - Parameter link: what the Ogg pages state about their streams.
  package init(
    _ demuxer: borrowing Demuxer, file: InputFile, wantsKeyframes: Bool,
    link: OggChain.Link? = nil
  ) {
    self.link = link
    format = ContainerNames.format(demuxer.formatName, head: ContainerHead(file))
    rules = SourceRules(format)
    input = file
    musepack = rules.isMusepack ? Self.musepackHeader(of: file) : nil
    stamps = PacketStamps(format: format, wantsKeyframes: wantsKeyframes, musepack: musepack)
    self.wantsKeyframes = wantsKeyframes
    statesRate = demuxer.tracks.first.map { AssumedRate.isStated(by: $0) } ?? true
    facts = MediaFacts(
      container: ContainerFacts(
        format: format, longName: demuxer.formatLongName, isSeekable: file.isSeekable),
      depth: .header)
    facts.byteCount = file.byteCount
    facts.tags = demuxer.tags.map { Tag(key: $0.key, value: $0.value) }
    let isEstimated = demuxer.isDurationEstimated
    facts.tracks = demuxer.tracks.map {
      PacketTracks.facts(of: $0, format: format, isEstimated: isEstimated)
    }
    facts.chapters = ContainerNames.chapters(demuxer.chapters)
    let isMeasured = rules.isFLV && !FLVMetadata.statesDuration(file)
    if let length = demuxer.declaredDuration, !rules.statesNoDuration, !isMeasured {
      facts.durations.declared = DurationFact(
        length: length, source: isEstimated ? .estimate : .containerHeader)
    }
    facts.damage = ContainerHead(file).damage
    facts.notes += zip(demuxer.tracks, facts.tracks).compactMap {
      CodedSize.contradiction(of: $0.statedSize, in: $1)
    }
    let isAlone = facts.tracks.count(where: \.isPresented) == 1
    for (track, facts) in zip(demuxer.tracks, facts.tracks) where facts.isPresented {
      guard let grid = track.grid else { continue }
      let scan = streamScan(of: track, facts, grid)
      self.scan.follow(track.index, as: scan)
      stamps.follow(track, format: demuxer.formatName, isAlone: isAlone)
    }
    if rules.isFLV {
      foreign = ForeignPictures(demuxer, file, facts: &facts, scan: &scan)
      foreignSound = ForeignAudio(file, facts: &facts, scan: &scan)
    }
  }

  /// The header of a Musepack file, which may follow an ID3v2 tag.
  private static func musepackHeader(of file: InputFile) -> MusepackHeader? {
    let tag = file.bytes(in: 0..<10, atMost: 10)
    var start: Int64 = 0
    if tag.count == 10, tag.starts(with: "ID3".utf8) {
      // ID3v2.4, 3.1: seven bits in each byte of the size; a footer if flagged.
      start = tag[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) } + (tag[5] & 0x10 == 0 ? 10 : 20)
    }
    return MusepackHeader(file.bytes(in: start..<start + 4096, atMost: 4096))
  }

  private func streamScan(
    of track: LibavTrack, _ facts: TrackFacts, _ grid: TickGrid
  ) -> StreamScan {
    var scan = StreamScan(
      isVideo: facts.kind == .video, grid: grid,
      sampleRate: track.sampleRate.map { Int64($0) },
      mayJump: rules.mayResetClock)
    if facts.kind == .video, let rate = track.averageFrameRate ?? track.realFrameRate,
      let frame = try? Rational.one.divided(by: rate)
    {
      scan.fallbackDuration = try? grid.ticks(
        of: MediaDuration(seconds: frame), rounding: .nearest)
    }
    scan.clockCorrection = CodecDelay.correction(of: track, grid, format: format)
    scan.isBare = rules.isBareSound
    scan.sharesFrames = WindowsMediaAudio.sharesFrames(
      track.codec, configuration: track.extradata)
    scan.countsChunks = rules.countsChunks(of: track.codec)
    if track.codec == .theora { scan.repeatsOfLast = link?.repeats }
    scan.mayOmitPTS = rules.mayOmitPTS && PictureOrder.waitsForOne(codec: track.codec)
    scan.statedEnd = track.durationTicks.flatMap { length in
      let (end, overflow) = length.addingReportingOverflow(track.startTick ?? 0)
      return overflow ? nil : end
    }
    return scan
  }

  /// Reads packets to the end.
  ///
  /// - Parameters:
  ///   - observer: receives every packet, also of tracks that are not presented.
  ///   - passing: receives those of a stream that are not read, in front of the next packet of the stream.
  package mutating func scan(
    _ demuxer: inout Demuxer,
    observer: ((PacketFacts, borrowing Demuxer) -> Void)? = nil,
    passing: (([UnreadPackets.Packet], Int) -> Void)? = nil,
    progress: (ProbeProgress) -> Bool
  ) throws(MediaError) {
    if observer == nil { demuxer.discard(allBut: scan.followed) }
    // A sample table describes all of its packets.
    if rules.isISO { demuxer.takePacketsAsStored() }
    var clock = AudioClock(demuxer, link)
    var observers = PacketObservers(
      format: format, tracks: facts.tracks, in: input,
      misread: (foreign?.misread ?? []).union(foreignSound?.misread ?? []),
      isComplete: bothEnds == nil && unread == nil)
    var cursor = unread.map { UnreadPackets.Cursor($0) }
    var packets = 0
    var lastReport: ContinuousClock.Instant?
    let total = facts.byteCount
    do {
      while var packet = try demuxer.nextPacket() {
        if let passed = cursor?.take(before: packet.byteOffset, of: packet.stream), !passed.isEmpty
        {
          for unread in passed { scan.add(PacketStamp(unread), to: packet.stream) }
          passing?(passed, packet.stream)
        }
        clock.stamp(&packet, &demuxer)
        let standing = observers.see(&packet)
        if standing == .behindEnd { break }
        var seen = packet
        if standing == .behindGap { seen.isCorrupt = true }
        observer?(seen, demuxer)
        if standing == .leftOut { continue }
        let stamp = stamps.stamp(packet, demuxer, into: &facts)
        ends[packet.stream] =
          stamp.isSilent ? nil : packet.byteOffset.map { $0 &+ Int64(packet.byteCount) }
        add(stamp, of: packet, demuxer)
        packets &+= 1
        // Often enough for progress; each report is answered on another thread.
        guard packets & 0x7F == 0 else { continue }
        let now = ContinuousClock.now
        if lastReport.map({ now - $0 >= .milliseconds(50) }) != false {
          lastReport = now
          guard progress(ProbeProgress(bytesDone: demuxer.position, bytesTotal: total)) else {
            throw MediaError.cancelled
          }
        }
      }
    } catch {
      throw MediaError(any: error)
    }
    facts.depth = bothEnds == nil ? .packets : .header
    if rules.isTransportStream { ScanNotes.addScrambling(demuxer.scrambledPIDs, to: &facts) }
    facts.damage += [clock.mpeg?.damage].compactMap { $0 }
    if case .refused(_, let reason) = demuxer.earlyEnd { endReason = reason }
    addLast()
    for findings in observers.finish() { add(findings) }
    foreign?.add(to: &scan, &facts)
    foreignSound?.add(to: &scan)
    ScanNotes.add(endOf: demuxer, to: &facts)
    scan.stampWaiting()
    if rules.isAVI { addRepeats() }
    for index in facts.tracks.map(\.index) {
      if let untimed = stamps.untimed[index] { filled[index] = scan.fill(index, from: untimed) }
    }
    for track in demuxer.tracks where follows(track) {
      filled[track.index, default: [:]].merge(scan[track.index]?.followed ?? [:]) { one, _ in one
      }
    }
    joinPauses()
    if bothEnds == nil { settleStrays() } else { scan.countBetweenEnds() }
    for track in demuxer.tracks {
      if let (times, end) = stamps.times(of: track) {
        scan.retime(track.index, to: times, end: end)
      }
    }
    applyGaplessTag()
    scan.compareEnds(declared: facts.durations.declared)
    stretches = scan.stretches()
    for position in facts.tracks.indices { finishTrack(at: position) }
  }

  private mutating func add(_ findings: PacketFindings) {
    facts.notes += findings.notes
    facts.damage += findings.damage
    for (index, numbers) in findings.whole {
      whole[index] = numbers
      scan.unmark(numbers.count, in: index)
    }
    if let frame = findings.cutShort, !facts.tracks.isEmpty { noteCutShort(frame, ofStream: 0) }
  }

  /// Whether each packet of a track begins where the one before ends.
  private func follows(_ track: LibavTrack) -> Bool {
    guard track.kind == .video else { return track.kind == .audio }
    return stamps.untimed[track.index] == nil && stamps.statesPresentation(track.index)
      && track.reorderedFrames == 0
  }

  private mutating func add(
    _ stamp: PacketStamp, of packet: PacketFacts, _ demuxer: borrowing Demuxer
  ) {
    guard rules.isFLAC else {
      scan.add(stamp, to: packet.stream)
      return
    }
    if let held { scan.add(held.stamp, to: held.stream) }
    held = (stamp, demuxer.withPacketBytes { Array($0) }, packet.stream)
  }

  package mutating func noteGarbage(bytes: Int64) {
    facts.notes.append(
      Note(
        .garbageBeforeMedia,
        "The first \(bytes) bytes are not part of any frame; the audio begins after them."))
  }

  package func scan(ofStream index: Int) -> StreamScan? { scan[index] }

  /// The stated PTS of pictures that were given another, by stream and packet.
  package private(set) var strays: [Int: [Int: Int64]] = [:]

  /// The numbers of packets whose DTS is far from those around them.
  package func strayPackets(ofStream index: Int) -> Set<Int> { scan[index]?.strayPackets ?? [] }

  private mutating func settleStrays() {
    for stream in scan.followed
    where stamps.statesPresentation(stream) || scan[stream]?.isVideo == false {
      let found = scan.settleStrays(
        stream, guessesDTS: rules.isMatroska)
      guard !found.isEmpty else { continue }
      filled[stream, default: [:]].merge(found.mapValues(\.pts)) { $1 }
      strays[stream] = found.mapValues(\.stated)
    }
  }

  /// The long pauses of each stream over which its clock continues.
  package var pauses: [Int: [StreamPause]] {
    Dictionary(
      uniqueKeysWithValues: scan.followed.compactMap { stream in
        scan[stream].map { (stream, $0.pauses) }
      })
  }

  /// The stretch of the file's clock that each epoch of a stream belongs to.
  package func stretches(ofStream index: Int) -> [Int] { stretches[index] ?? [] }

  /// Where the clock of a stream is reset, in stream order; empty for one that is never reset.
  package func clockSteps(ofStream index: Int) throws(ExactTimeError) -> [ClockStep] {
    guard let epochs = scan[index]?.epochs, epochs.count > 1 else { return [] }
    let beginnings = try ClockBeginning.all(of: presentedTracks, origin: .zero)
    var steps: [ClockStep] = []
    for (epoch, number) in zip(epochs, stretches(ofStream: index)) {
      // A stretch that shows nothing uses the clock of the previous one.
      guard let beginning = beginnings[number] else { continue }
      steps.append(
        ClockStep(
          packet: epoch.firstPacket,
          shift: try beginning.timeline.distance(from: beginning.clock)))
    }
    return steps.contains { $0.shift != .zero } ? steps : []
  }

  /// The numbers of the packets of a stream that are marked as corrupt although they are
  /// complete.
  package func wholePackets(ofStream index: Int) -> Set<Int> { whole[index] ?? [] }

  /// Where a stream's sound is missing, counted from the file's first presented sample.
  private func missingSound(ofStream index: Int) -> [MediaTimeRange] {
    guard let scan = scan[index], !scan.holes.holes.isEmpty,
      let beginnings = try? ClockBeginning.all(of: presentedTracks, origin: .zero),
      let zero = beginnings.min(by: { $0.key < $1.key })?.value.timeline
    else { return [] }
    let numbers = stretches(ofStream: index)
    return scan.holes.holes.compactMap { hole in
      guard let epoch = scan.epochs.lastIndex(where: { $0.firstPacket <= hole.packet }),
        numbers.indices.contains(epoch), let beginning = beginnings[numbers[epoch]],
        let from = scan.time(hole.from), let to = scan.time(hole.to),
        let start = try? beginning.onTimeline(from).counted(from: zero),
        let end = try? beginning.onTimeline(to).counted(from: zero)
      else { return nil }
      return MediaTimeRange(from: start, to: end)
    }
  }

  /// What each track presents.
  package var presentedTracks: [PresentedTrack] {
    facts.tracks.compactMap { scan.presented($0.index, as: $0.id, stretches: stretches) }
  }

  /// Packets that FFmpeg marks as corrupt, by track.
  package var corruption: [Damage] { facts.damage.filter { $0.kind == .undecodable } }

  /// The facts, with the notes that follow from the scan.
  package func finished() -> MediaFacts {
    var facts = facts
    foreign?.removeMisread(from: &facts.tracks)
    facts.durations = FileDurations.of(
      facts.tracks, declared: facts.durations.declared, presented: presentedTracks,
      source: .packets)
    if let note = AssumedRate.note(format: format, facts, statesRate) { facts.notes.append(note) }
    facts.notes += (bothEnds == nil ? facts.tracks : []).compactMap { track in
      AudioHoles.note(of: missingSound(ofStream: track.index), track: track.id)
    }
    if rules.isMatroska, let editions = MatroskaEditions(input) {
      facts.notes += editions.notes(presented: facts.durations.presented)
    }
    facts.notes += [endsNote].compactMap { $0 }
    facts.finish(isLookedFor: facts.depth != .header || bothEnds != nil)
    return facts
  }

  /// The facts along the ordered edition of a Matroska file; `nil` where it has none to follow.
  ///
  /// - Parameter facts: as finished.
  package func following(_ facts: MediaFacts) -> MediaFacts? {
    guard rules.isMatroska, let presented = facts.durations.presented,
      let start = presented.start, let end = presented.end,
      let whole = MediaTimeRange(from: start, to: end),
      let edition = MatroskaEditions(input)?.ordered(presented: whole)
    else { return nil }
    var followed = facts
    followed.follow(edition, counting: scan)
    return followed
  }
}
