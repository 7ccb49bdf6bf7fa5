package import Bitstreams
import ExactTime
package import ISOMedia
package import MediaFacts
import MediaFiles

/// Reads an MP4 or QuickTime movie natively.
///
/// It reads the headers, the sample tables and, on request, the first bytes of keyframes, without
/// loading any library.
package struct ISOProbe<Bytes: RandomAccessBytes> {
  package let file: Bytes
  package let movie: ISOMovie
  package let wantsKeyframes: Bool
  package let wantsFrames: Bool
  package private(set) var tracks: [TrackFacts] = []
  package private(set) var notes: [Note] = []
  package private(set) var damage: [Damage] = []
  /// How each presented track's media maps to the file's timeline, by the track's position.
  package private(set) var timelines: [Int: TrackTimeline] = [:]
  /// The sample tables with byte offsets, by the track's position, where requested.
  package private(set) var tables: [Int: ISOSampleTable] = [:]
  /// Samples whose stated PTS is far from those around them, by the track's position.
  package private(set) var strays: [Int: [StrayTimes.Stray]] = [:]
  /// Where sound is missing, on the file's own timeline, by the track's position.
  private var missingSound: [Int: [MediaTimeRange]] = [:]
  private let keepsTables: Bool
  private var presentedTracks: [PresentedTrack] = []

  package init(
    _ file: Bytes, _ movie: ISOMovie, wantsKeyframes: Bool, wantsFrames: Bool = false,
    keepsTables: Bool = false
  ) throws(ISOError) {
    self.keepsTables = keepsTables
    self.wantsFrames = wantsFrames
    self.file = file
    self.movie = movie
    self.wantsKeyframes = wantsKeyframes
    for (index, track) in movie.tracks.enumerated() {
      try read(track, at: index)
    }
    addCoverArt()
    if let count = movie.unreadSectionCount {
      notes.append(
        Note(
          .onlyEndsRead,
          "Of its fragments, which an index states (\(count)), only those at both ends were fetched: lengths "
            + "and keyframes are exact as far as the index is, and frames are not counted. A scan "
            + "of all packets fetches all of it."))
    }
    damage += ISODamage.of(movie)
    notes += ISODamage.notes(of: movie)
  }

  package func facts(depth: ProbeDepth, isSeekable: Bool) -> MediaFacts {
    var facts = MediaFacts(container: container(isSeekable: isSeekable), depth: depth)
    facts.byteCount = movie.byteCount
    facts.tracks = tracks
    facts.tags = movie.tags.map { Tag(key: $0.key, value: $0.value) }
    facts.chapters = movie.chapters.enumerated().map { index, chapter in
      ChapterFacts(
        number: index + 1, title: chapter.title, start: chapter.start,
        end: chapter.end
          ?? (index + 1 < movie.chapters.count ? movie.chapters[index + 1].start : nil))
    }
    facts.durations = FileDurations.of(
      tracks, declared: ISODurations.declared(movie), presented: presentedTracks,
      source: .sampleTable)
    facts.notes = notes
    let zero = facts.durations.presented?.start ?? .zero
    for track in tracks {
      let ranges = missingSound[track.index, default: []].compactMap { range in
        (try? range.start.counted(from: zero)).flatMap { start in
          (try? range.end.counted(from: zero)).flatMap { MediaTimeRange(from: start, to: $0) }
        }
      }
      if let note = AudioHoles.note(of: ranges, track: track.id) { facts.notes.append(note) }
    }
    facts.damage = damage
    facts.finish()
    return facts
  }

  private func container(isSeekable: Bool) -> ContainerFacts {
    var brands: [String] = []
    for brand in [movie.majorBrand].compactMap({ $0 }) + movie.compatibleBrands
    where !brands.contains("\(brand)") {
      brands.append("\(brand)")
    }
    return ContainerFacts(
      format: SourceRules.isoFormat(isQuickTime: movie.isQuickTime),
      longName: movie.isQuickTime ? "QuickTime movie" : "MP4 (ISO base media)",
      brands: brands, isFragmented: movie.isFragmented, isSeekable: isSeekable)
  }

  private mutating func read(_ track: ISOTrack, at index: Int) throws(ISOError) {
    let id = Int(track.id)
    var facts = ISOTrackDescription.facts(of: track, in: movie, at: index)
    facts.durations = ISODurations.of(track, in: movie, id: id)
    facts.sampleCount = track.unread == nil ? Int(exactly: track.sampleCount) : nil
    defer { tracks.append(facts) }
    guard facts.isPresented, track.sampleCount > 0 else { return }
    guard let timescale = track.timescale else {
      notes.append(
        Note(
          .noTimeScale, track: id,
          "The track has no timescale, so its presentation times are unknown."))
      return
    }
    guard !track.sampleEntries.isEmpty else {
      notes.append(
        Note(
          .codecUnknown, track: id,
          "The track has no sample description, so no player can play it."))
      return
    }
    let grid = TickGrid(ticksPerSecond: timescale)
    var probe: ISOTrackProbe
    do {
      probe = try ISOTrackProbe(track, in: movie, grid: grid, file: file)
    } catch  where error.code == .sampleTableImpossible {
      damage.append(Damage(.invalidStructure, at: error.byteOffset, track: id, error.description))
      return
    }
    probe.checkMarks(in: file, readsAll: wantsKeyframes || keepsTables)
    if probe.hasFalseMarks {
      let count = probe.entryCount.map { "\($0.entries) of \($0.samples) are" }
      notes.append(
        Note(
          .allMarkedAsKeyframes, track: id,
          "Every sample is marked as a keyframe; \(count ?? "not all are")."))
    }
    if probe.table.isOrderedByPictures {
      notes.append(
        Note(
          .untimedPictures, track: id,
          "The track states only decoding times (no composition offsets), although its pictures "
            + "are reordered: their presentation order is read from the bitstream."))
    }
    if keepsTables, probe.hasPlaces { tables[index] = probe.table }
    let reader = ISOSampleReader(file: file, track: track, table: probe.table)
    if facts.kind == .video {
      describeVideo(&facts, &probe, reader)
    } else {
      describeAudio(&facts, &probe, reader)
    }
    if let edits = probe.timeline, let times = probe.times {
      timelines[index] = TrackTimeline(
        edits: edits, mediaStart: times.first, mediaLast: times.last, mediaEnd: times.end,
        sampleCount: times.sampleCount, hasHugeDurations: track.timing.hasHugeDurations,
        mostShift: movie.isFragmented ? probe.table.greatestNegativeOffset : 0,
        strays: Dictionary(
          probe.strays.map { ($0.index, $0.pts) }, uniquingKeysWith: { first, _ in first }))
      if !probe.strays.isEmpty { strays[index] = probe.strays }
    }
    notes += ISOTrackNotes.notes(of: probe, facts)
    if facts.kind == .audio, track.unread == nil {
      missingSound[index] = probe.missingSound(facts.codec)
    }
    guard let range = probe.presented, let length = try? range.checkedLength() else { return }
    facts.durations.presented = DurationFact(
      length: length, start: range.start, source: .sampleTable, trackID: id)
    presentedTracks.append(PresentedTrack(trackID: id, range: range))
    guard track.unread == nil, track.assumed == nil else { return }
    facts.bitRate = BitRate.of(bytes: track.placement.byteCount, over: length)
  }

  private mutating func describeVideo(
    _ facts: inout TrackFacts, _ probe: inout ISOTrackProbe, _ reader: ISOSampleReader<Bytes>
  ) {
    guard let times = probe.times, let timeline = probe.timeline else { return }
    var shown = times.sortedPTS
    let empty = reader.pictureless(times)
    if !empty.isEmpty { shown.removeAll(where: empty.contains) }
    if ISOTrackDescription.isIncomplete(facts, reader.track), !facts.isEncrypted,
      let entry = reader.track.firstEntry,
      let sample = reader.bytes(ofSample: 0, atMost: 4096)
    {
      ISOTrackDescription.complete(
        &facts, entry, firstSample: sample[...], framing: reader.framing)
    }
    readLight(&facts, reader)
    if let entry = reader.track.firstEntry?.video, let video = facts.video,
      (entry.width, entry.height) != (video.width, video.height)
    {
      notes.append(
        CodedSize.note(
          stated: (entry.width, entry.height), (video.width, video.height), track: facts.id))
    }
    // Hidden frames say nothing about the frame rate.
    var firstShown: Int64?
    let keys = reader.keyframes(times: times, readsBitstream: wantsKeyframes)
    if wantsKeyframes, reader.leavesUnread(keys) {
      notes.append(
        Note(
          .keyframesNotRead, track: facts.id,
          "Only the index was fetched: whether decoding can start at a keyframe is stated in its own bytes."
        ))
    }
    let start = reader.firstShown(keys: keys, times: times)
    if start > 0 {
      notes.append(FirstKeyframe.note(count: start, of: times.sampleCount, track: facts.id))
      if start < times.sampleCount {
        firstShown = times.pts[start]
        probe.hideFrames(before: times.pts[start])
        shown.removeFirst(shown.countBelow(times.pts[start]))
      } else {
        probe.hideAll()
        shown.removeAll()
      }
    }
    if start == 0, let first = keys.first,
      let hidden = reader.firstDecodable(after: first, times: times)
    {
      firstShown = hidden
      probe.hideFrames(before: hidden)
      shown.removeFirst(shown.countBelow(hidden))
    }
    if let unread = reader.track.unread {
      describe(&facts, between: unread, times, timeline, keys)
      return
    }
    let hiddenCount = firstShown.map { times.sortedPTS.countBelow($0) } ?? 0
    let spacing = FrameSpacing(
      times: times.sortedPTS.dropFirst(hiddenCount), end: times.end, grid: probe.grid,
      stated: facts.video?.nominalFrameRate)
    facts.video?.nominalFrameRate = spacing.nominal
    facts.video?.averageFrameRate = spacing.average
    facts.video?.isConstantFrameRate = spacing.isConstant
    facts.frameCount = timeline.frameCount(sortedPTS: shown)
    let places =
      wantsKeyframes ? timeline.places(of: keys.map(\.pts), sortedPTS: shown) : [:]
    let summary = GOPSummary(
      entries: keys, pts: times.pts, grid: probe.grid, end: times.end,
      lists: wantsKeyframes, place: { (places[$0]?.time, places[$0]?.frame) })
    // Unless all samples were read, the actual keyframes are not known.
    facts.gops = probe.hasFalseMarks && probe.entryCount == nil ? nil : summary.gops
    facts.keyframes = summary.keyframes
    if wantsFrames, probe.presented != nil {
      facts.shownFrames = timeline.shownFrames(sortedPTS: shown, mediaEnd: times.end)
    }
  }

  /// What the fragments at both ends and the index show of a video track.
  private func describe(
    _ facts: inout TrackFacts, between unread: ISOUnreadFragments, _ times: ISOMediaTimes,
    _ timeline: EditedTimeline, _ keys: [GOPSummary.Entry]
  ) {
    let front = ContiguousArray(times.pts.prefix(unread.firstBehind)).inPresentationOrder
    let spacing = FrameSpacing(
      times: front, end: nil, grid: timeline.grid, stated: facts.video?.nominalFrameRate)
    facts.video?.nominalFrameRate = spacing.nominal
    guard wantsKeyframes, let ticks = unread.syncTimes else { return }
    let known = Dictionary(keys.map { ($0.pts, $0) }, uniquingKeysWith: { first, _ in first })
    facts.keyframes = Set(ticks).union(known.keys).compactMap { tick in
      timeline.extendedTime(of: tick).map {
        KeyframeFacts(
          frame: nil, time: $0, access: known[tick]?.access ?? .unknown,
          byteOffset: known[tick]?.byteOffset)
      }
    }.sorted { $0.time < $1.time }
  }

  /// Completes the HDR metadata in boxes from SEI messages or metadata OBUs of the first picture;
  /// only video with more than eight bits has those.
  private func readLight(_ facts: inout TrackFacts, _ reader: ISOSampleReader<Bytes>) {
    guard !facts.isEncrypted, facts.video?.bitDepth ?? 8 > 8,
      let sample = reader.bytes(ofSample: 0, atMost: HDRReader.mostBytes)
    else { return }
    var light = facts.video?.hdr ?? HDRFacts()
    light.complete(
      with: HDRReader.facts(codec: facts.codec, sample[...], framing: reader.framing))
    facts.video?.hdr = light.isEmpty ? nil : light
  }

  private mutating func describeAudio(
    _ facts: inout TrackFacts, _ probe: inout ISOTrackProbe, _ reader: ISOSampleReader<Bytes>
  ) {
    if ISOTrackDescription.statedByFrames.contains(facts.codec), !facts.isEncrypted,
      let sample = reader.bytes(ofSample: 0, atMost: 16)
    {
      if let entry = reader.track.firstEntry, AudioEntries.isOfAnyLayer(entry),
        let layer = MPEGAudioHeader(sample)?.layer
      {
        facts.codec = Codec("mp\(layer)")
      }
      let codec = facts.codec
      facts.audio = facts.audio.map {
        ISOTrackDescription.audio($0, codec: codec, firstFrame: sample)
      }
    }
    shortenSound(&probe, reader, facts.codec, facts.id)
    let rate = facts.audio?.sampleRate ?? 0
    if let edited = probe.editedSamples, rate > 0,
      probe.grid == TickGrid(ticksPerSecond: Int64(rate))
    {
      facts.audio?.priming = edited.priming > 0 ? edited.priming : nil
      facts.audio?.padding = edited.padding > 0 ? edited.padding : nil
    }
    let priming = rate > 0 ? reader.codecPriming(probe.grid, sampleRate: rate) : 0
    if priming > 0, (facts.audio?.priming ?? 0) == 0 {
      probe.hide(priming: priming, sampleRate: rate)
      facts.audio?.priming = priming
    }
    if facts.audio?.priming == nil, facts.audio?.padding == nil, rate > 0 {
      hideGaplessTag(&facts, &probe, rate)
    }
  }

  /// Applies the gapless tag of the track, or of a file with one audio track.
  private mutating func hideGaplessTag(
    _ facts: inout TrackFacts, _ probe: inout ISOTrackProbe, _ rate: Int
  ) {
    let isOnlySound = movie.tracks.count { $0.handler == "soun" } == 1
    let shared = isOnlySound ? movie.tags.map { Tag(key: $0.key, value: $0.value) } : []
    guard facts.codec == .aac || facts.codec == .mp3,
      let tag = GaplessTag(in: facts.tags + shared), let times = probe.times
    else { return }
    let samples = TickGrid(ticksPerSecond: Int64(rate))
    func count(_ ticks: Int64) -> Int64? {
      (try? probe.grid.duration(ofTicks: ticks)).flatMap {
        try? samples.ticks(of: $0, rounding: .nearest)
      }
    }
    guard let total = count(times.end &- times.first), let packet = count(times.end &- times.last)
    else { return }
    guard let hidden = tag.hidden(of: total, packet: max(packet, 1024)) else {
      notes.append(tag.contradiction(track: facts.id))
      return
    }
    probe.hide(priming: hidden.priming, padding: hidden.padding, sampleRate: rate)
    facts.audio?.priming = hidden.priming > 0 ? hidden.priming : nil
    facts.audio?.padding = hidden.padding > 0 ? hidden.padding : nil
  }

  /// Limits the last packet's duration from the table to what it decodes to.
  private mutating func shortenSound(
    _ probe: inout ISOTrackProbe, _ reader: ISOSampleReader<Bytes>, _ codec: Codec, _ id: Int
  ) {
    guard let times = probe.times, times.sampleCount > 0, !reader.track.isEncrypted,
      let (samples, rate) = reader.lastSound(at: times.present?.last ?? times.sampleCount - 1),
      let length = try? TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(samples)),
      let ticks = try? probe.grid.ticks(of: length, rounding: .up),
      times.end &- times.last > ticks &+ 1
    else { return }
    let stated = try? probe.grid.duration(ofTicks: times.end &- times.last)
    probe.endSound(at: times.last &+ ticks)
    notes.append(
      Note(
        .lastPacketShorter, track: id,
        "The last packet decodes to \(samples) samples; the sample table gives it "
          + "\(stated.map { Disagreements.text($0) } ?? "longer")."))
  }

  private mutating func addCoverArt() {
    for art in movie.coverArt {
      var facts = TrackFacts(
        id: (tracks.map(\.id).max() ?? 0) + 1, index: tracks.count, kind: .video,
        codec: art.format == .jpeg ? .mjpeg : Codec(art.format.rawValue))
      facts.dispositions = ["attached_pic"]
      tracks.append(facts)
    }
  }
}
