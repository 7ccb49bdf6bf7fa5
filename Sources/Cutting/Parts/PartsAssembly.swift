import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Assembles what a plan describes: the packets of all tracks, and the metadata of the whole
/// file.
struct PartsAssembly {
  let view: OutputView
  let plan: CutPlan
  let spool: PayloadSpool
  let limits: Limits
  let meter: WorkMeter

  private var source: any CutSource { view.source }

  /// The packets of all tracks of the output.
  func tracks() throws(MediaError) -> [OutputTrack] {
    var tracks = try joinedTracks()
    if !plan.container.rules.audio.stampsPackets {
      try SilentSamples(source: source, spool: spool).fill(&tracks)
    }
    return tracks
  }

  private func joinedTracks() throws(MediaError) -> [OutputTrack] {
    var join = PartJoin(source, plan.container, spool)
    var before: [Int: Set<UInt32>]?
    for (number, part) in plan.parts.enumerated() {
      let piece = source.pieces[part.source]
      let assembly = CutAssembly(
        source: piece, plan: plan, number: number, spool: spool, limits: limits,
        isCancelled: meter.isStopped, meter: meter, heldBefore: before,
        keptSets: view.keptSets[part.source], formats: view.formats[number])
      let tracks: [OutputTrack]
      do throws(MediaError) {
        tracks = try assembly.tracks()
      } catch {
        throw error.about(part.source, of: source.pieces.count)
      }
      if plan.parts.count == 1 { return tracks }
      if number < plan.parts.count - 1 {
        before = try HeldCounts(source: piece, spool: spool).counts(behind: tracks)
      }
      try join.append(tracks, lasting: part.length, of: part.source)
    }
    let sound = JoinedAudio(
      source: source, plan: plan, spool: spool, limits: limits, meter: meter)
    return try (join.joined() + sound.tracks()).sorted { $0.source < $1.source }
  }

  /// Tags, and the chapters of each part.
  func labels() throws(MediaError) -> FileLabels {
    var labels = FileLabels()
    let written = Set(plan.parts.flatMap { $0.tracks.map(\.source) })
    let lasting = source.lastingTags(for: plan.container, of: written)
    let capture = CaptureTime(source, plan)
    labels.tags = lasting.tags.map { ($0.key, capture.moved($0.key, $0.value)) }
    labels.taggedTrack = lasting.track
    if let start = plan.parts.first?.start {
      let audio = source.facts.tracks.first { $0.kind == .audio }?.audio
      labels.tags = BroadcastWave.tags(
        labels.tags, from: start, samplesPerSecond: audio?.sampleRate,
        isWave: plan.container == .wav)
    }
    if [.wav, .aiff].contains(plan.container) {
      labels.chunks = try AddedChunk.moved(SourceChunks(source.file), of: source, to: plan)
    }
    let carriesTrack = plan.parts.contains { part in
      part.tracks.contains { source.tracks[$0.source].timecode != nil }
    }
    labels.timecode = carriesTrack ? nil : timecode
    // MP4 and QuickTime have a track for it.
    if !plan.container.isISO, let timecode { labels.tags.append(("timecode", "\(timecode)")) }
    labels.covers = try covers()
    if [.mpegts, .m2ts].contains(plan.container) {
      // FFmpeg's muxer writes the title as the service name.
      labels.tags = labels.tags.map {
        ($0.key, $0.key.lowercased() == "title" ? Self.name($0.value) : $0.value)
      }
      labels.tags += try service()
    }
    var offset = MediaDuration.zero
    do throws(ExactTimeError) {
      for (number, part) in plan.shownParts.enumerated() {
        var chapters: [Muxer.Chapter]
        if let title = plan.request.parts[number].title {
          let end = try MediaTime.zero.advanced(by: offset.adding(part.length))
          chapters = [
            Muxer.Chapter(start: try .zero.advanced(by: offset), end: end, title: title)
          ]
        } else {
          chapters = try self.chapters(of: source.pieces[part.source], in: part.range, at: offset)
        }
        // A chapter across a seam between two pieces of one file stays one.
        if try continuesPiece(number), let last = labels.chapters.last, let first = chapters.first,
          last.end == first.start, last.title == first.title
        {
          labels.chapters[labels.chapters.count - 1].end = first.end
          chapters.removeFirst()
        }
        labels.chapters += chapters
        offset = try offset.adding(part.length)
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    return labels
  }

  /// Whether a part shows the next piece of the file from where the part before it ended.
  private func continuesPiece(_ number: Int) throws(ExactTimeError) -> Bool {
    guard number > 0 else { return false }
    let parts = plan.shownParts
    let (before, part) = (parts[number - 1], parts[number])
    let isPiece = part.source != before.source || plan.request.parts[number].lead != nil
    let piece = source.pieces[part.source]
    guard isPiece, part.range.start == before.range.end,
      piece.file === source.pieces[before.source].file
    else { return false }
    if plan.request.parts[number].title != nil { return true }
    let seam = try part.range.start.advanced(by: piece.zero.distance(from: .zero))
    return try !piece.chapters(for: plan.request).contains { $0.start == seam }
  }

  /// The service name and provider of the source; FFmpeg's muxer would otherwise make them up.
  private func service() throws(MediaError) -> [(key: String, value: String)] {
    guard let track = source.tracks.first(where: { $0.facts.isPresented }) else { return [] }
    let names = try source.withDemuxer { (demuxer) throws(MediaError) in
      demuxer.programTags(ofStream: track.stream).filter { tag in
        // Skip names that FFmpeg could not decode.
        ["service_name", "service_provider"].contains(tag.key) && !tag.value.isEmpty
          && tag.value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{FFFD}" }
      }
    }
    return names.reduce(0) { $0 + $1.value.utf8.count } <= Self.mostInDescriptor ? names : []
  }

  /// Maximum bytes of both names of a service, which share one descriptor with an 8-bit length.
  private static let mostInDescriptor = 248

  /// As much of a title as fits into a descriptor with the provider name of FFmpeg's muxer.
  private static func name(_ title: String) -> String {
    var name = title
    while name.utf8.count > mostInDescriptor - 8 { name.removeLast() }
    return name
  }

  /// Cover pictures to carry over; those of MP4 are kept with its boxes.
  private func covers() throws(MediaError) -> [FileCover] {
    try plan.covers.map { (index) throws(MediaError) in
      FileCover(facts: source.facts.tracks[index], picture: try source.cover(ofTrack: index))
    }
  }

  /// The timecode of the first frame that is shown; `nil` where the source has none.
  private var timecode: Timecode? {
    if let clock = SourceTimecode.clock(of: source.facts), let part = plan.parts.first,
      let lead = try? source.zero.distance(from: .zero)
    {
      return (try? part.start.advanced(by: lead)).flatMap(clock.timecode(at:))
    }
    let pictures = source.tracks.first { $0.facts.kind == .video && $0.facts.isPresented }
    guard let label = SourceTimecode.start(of: source.facts), let part = plan.parts.first,
      let frames = pictures?.facts.video?.nominalFrameRate,
      let rate = try? TimecodeRate(framesPerSecond: frames, isDropFrame: label.isDropFrame),
      let first = try? Timecode(label, rate: rate),
      let zero = try? source.zero.distance(from: .zero),
      // The timecode is that of the first frame, and audio may begin earlier.
      let shown = try? (pictures?.facts.durations.presented?.start ?? source.zero).moved(
        back: zero),
      // The timecode of the frame that is on screen at IN; times may be rounded to milliseconds.
      let count = try? part.start.distance(from: shown).seconds.multiplied(by: frames)
        .adding(Rational(1, 10)).rounded(.down)
    else { return nil }
    // Where nothing is on screen yet, the first frame is the source's.
    return first.advanced(byFrames: max(0, count))
  }

  private func chapters(
    of source: any CutSource, in range: MediaTimeRange, at offset: MediaDuration
  ) throws(ExactTimeError) -> [Muxer.Chapter] {
    var chapters: [Muxer.Chapter] = []
    let lead = try source.zero.distance(from: .zero)
    let (zero, open) = (try range.start.advanced(by: lead), try range.end.advanced(by: lead))
    let length = MediaTime(seconds: try range.checkedLength().seconds)
    for chapter in try source.chapters(for: plan.request) {
      let start = try MediaTime.zero.advanced(by: chapter.start.distance(from: zero))
      let stop = try MediaTime.zero.advanced(by: (chapter.end ?? open).distance(from: zero))
      guard stop > .zero, start < length else { continue }
      chapters.append(
        Muxer.Chapter(
          start: try max(.zero, start).advanced(by: offset),
          end: try min(length, stop).advanced(by: offset), title: chapter.title))
    }
    return chapters
  }
}
