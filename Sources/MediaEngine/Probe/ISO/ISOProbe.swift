import ExactTime
import ISOMedia
import MediaFacts

/// Reads an MP4 or QuickTime film natively.
///
/// Its headers, its sample tables and, where asked, the first bytes of its keyframes. No library is
/// loaded for it.
struct ISOProbe<Bytes: RandomAccessBytes> {
  let file: Bytes
  let movie: ISOMovie
  let wantsKeyframes: Bool
  private(set) var tracks: [TrackFacts] = []
  private(set) var notes: [Note] = []
  private(set) var damage: [Damage] = []
  /// How each presented track's media lies on the film's timeline, by the track's position.
  private(set) var timelines: [Int: TrackTimeline] = [:]
  private var presentedTracks: [PresentedTrack] = []

  init(_ file: Bytes, _ movie: ISOMovie, wantsKeyframes: Bool) throws(ISOError) {
    self.file = file
    self.movie = movie
    self.wantsKeyframes = wantsKeyframes
    for (index, track) in movie.tracks.enumerated() {
      try read(track, at: index)
    }
    addCoverArt()
    damage += ISODamage.of(movie)
    notes += ISODamage.notes(of: movie)
  }

  func facts(depth: ProbeDepth, isSeekable: Bool) -> MediaFacts {
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
      format: movie.isQuickTime ? "mov" : "mp4",
      longName: movie.isQuickTime ? "QuickTime film" : "MP4 (ISO base media)",
      brands: brands, isFragmented: movie.isFragmented, isSeekable: isSeekable)
  }

  private mutating func read(_ track: ISOTrack, at index: Int) throws(ISOError) {
    let id = Int(track.id)
    var facts = ISOTrackDescription.facts(of: track, in: movie, at: index)
    facts.durations = ISODurations.of(track, in: movie, id: id)
    facts.sampleCount = Int(exactly: track.sampleCount)
    defer { tracks.append(facts) }
    guard facts.isPresented, track.sampleCount > 0 else { return }
    guard let timescale = track.timescale else {
      notes.append(
        Note(
          "no-time-scale", track: id,
          "The track states no time scale, so nothing is known of when it is shown."))
      return
    }
    guard !track.sampleEntries.isEmpty else {
      notes.append(
        Note(
          "codec-unknown", track: id,
          "Nothing describes the track's codec, so no player shows it."))
      return
    }
    let grid = TickGrid(ticksPerSecond: timescale)
    var probe: ISOTrackProbe
    do {
      probe = try ISOTrackProbe(track, in: movie, grid: grid)
    } catch  where error.code == .sampleTableImpossible {
      damage.append(Damage(.invalidStructure, at: error.byteOffset, track: id, error.description))
      return
    }
    if let edits = probe.timeline, let times = probe.times {
      timelines[index] = TrackTimeline(edits: edits, mediaStart: times.first, mediaEnd: times.end)
    }
    let reader = ISOSampleReader(file: file, track: track, table: probe.table)
    if facts.kind == .video {
      describeVideo(&facts, &probe, reader)
    } else {
      describeAudio(&facts, &probe, reader)
    }
    notes += ISOTrackNotes.notes(of: probe, facts)
    guard let range = probe.presented, let length = try? range.checkedLength() else { return }
    facts.durations.presented = DurationFact(
      length: length, start: range.start, source: .sampleTable, trackID: id)
    presentedTracks.append(PresentedTrack(trackID: id, range: range))
    facts.bitRate = BitRate.of(bytes: track.placement.byteCount, over: length)
  }

  private mutating func describeVideo(
    _ facts: inout TrackFacts, _ probe: inout ISOTrackProbe, _ reader: ISOSampleReader<Bytes>
  ) {
    guard let times = probe.times, let timeline = probe.timeline else { return }
    var shown = times.sortedPTS
    if ISOTrackDescription.isIncomplete(facts), !facts.isEncrypted,
      let entry = reader.track.sampleEntries.first,
      let sample = reader.bytes(ofSample: 0, atMost: 4096)
    {
      ISOTrackDescription.complete(
        &facts, entry, firstSample: sample[...], framing: reader.framing)
    }
    let spacing = FrameSpacing(
      times: times.sortedPTS, end: times.end, grid: probe.grid,
      stated: facts.video?.nominalFrameRate)
    facts.video?.nominalFrameRate = spacing.nominal
    facts.video?.averageFrameRate = spacing.average
    facts.video?.isConstantFrameRate = spacing.isConstant
    let keys = reader.keyframes(times: times, readsBitstream: wantsKeyframes)
    if let first = keys.first,
      let hidden = reader.firstDecodable(after: first, times: times)
    {
      probe.hideFrames(before: hidden)
      shown.removeFirst(shown.countBelow(hidden))
    }
    facts.frameCount = timeline.frameCount(sortedPTS: shown)
    let places =
      wantsKeyframes ? timeline.places(of: keys.map(\.pts), sortedPTS: shown) : [:]
    let summary = GOPSummary(
      entries: keys, pts: times.pts, grid: probe.grid, end: times.end,
      lists: wantsKeyframes, place: { (places[$0]?.time, places[$0]?.frame) })
    facts.gops = summary.gops
    facts.keyframes = summary.keyframes
  }

  private mutating func describeAudio(
    _ facts: inout TrackFacts, _ probe: inout ISOTrackProbe, _ reader: ISOSampleReader<Bytes>
  ) {
    if facts.codec == "mp3", !facts.isEncrypted, let sample = reader.bytes(ofSample: 0, atMost: 4) {
      facts.audio = facts.audio.map { ISOTrackDescription.audio($0, firstMPEGFrame: sample) }
    }
    let rate = facts.audio?.sampleRate ?? 0
    if let edited = probe.editedSamples, rate > 0,
      probe.grid == TickGrid(ticksPerSecond: Int64(rate))
    {
      facts.audio?.priming = edited.priming > 0 ? edited.priming : nil
      facts.audio?.padding = edited.padding > 0 ? edited.padding : nil
    }
    let priming = reader.codecPriming
    if priming > 0, (facts.audio?.priming ?? 0) == 0, rate > 0 {
      probe.hidePriming(samples: priming, sampleRate: rate)
      facts.audio?.priming = priming
    }
  }

  private mutating func addCoverArt() {
    for art in movie.coverArt {
      var facts = TrackFacts(
        id: (tracks.map(\.id).max() ?? 0) + 1, index: tracks.count, kind: .video,
        codec: art.format == .jpeg ? "mjpeg" : art.format.rawValue)
      facts.dispositions = ["attached_pic"]
      tracks.append(facts)
    }
  }
}
