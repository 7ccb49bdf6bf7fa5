import ExactTime
import MediaFacts

/// Decides what happens to every track of a source in one part of a cut.
struct PartPlanner {
  let facts: SourceFacts
  let tracks: [SourceFacts.Track]
  let request: CutRequest
  let rules: ContainerRules
  /// Which part of the request this is.
  let number: Int
  var part: CutRequest.Part { request.parts[number] }
  /// Another part is shown before it in the same file.
  var follows: Bool { number > 0 }
  var isFollowed: Bool { number + 1 < request.parts.count }
  /// Other parts are in the same file.
  var isJoined: Bool { request.parts.count > 1 }

  /// The part; an endpoint that differs from a frame boundary only by rounding is moved to it, since
  /// people and programs round times.
  private(set) var range: MediaTimeRange
  /// The instant of the source that is the output's zero.
  private(set) var start: MediaTime
  var planned: [(plan: PartPlan.Track, report: TrackPlan)] = []
  var dropped: [TrackPlan] = []
  /// Covers that are kept.
  var covers: [TrackPlan] = []
  var coverByteCount: Int64 = 0
  /// The frames (samples per packet) of tracks whose re-encoded audio plays to the end of its
  /// last packet.
  var codedSound: [Int: CodedFrames] = [:]
  /// Whether sound is heard in the range although none of its packets begins there.
  var liesBetweenPackets = false
  var refusal: PlanRefusal?
  let questions: Questions
  let counts: SampleCounts

  /// Tracks counted in samples, which takes a pass over all packets: once for all parts of a source.
  final class SampleCounts {
    private struct Place: Hashable {
      var source: Int
      var track: Int
    }
    private var known: [Place: CodedTrack] = [:]

    fileprivate func counted(
      _ track: SourceFacts.Track, number: Int, of source: Int
    ) -> CodedTrack {
      let place = Place(source: source, track: number)
      if let coded = known[place] { return coded }
      let coded = track.countedInSamples
      known[place] = coded
      return coded
    }
  }

  func countedInSamples(_ index: Int) -> CodedTrack {
    counts.counted(tracks[index], number: index, of: part.source)
  }

  /// The facts that were needed but not available.
  final class Questions {
    var missing: Set<MissingFact>
    init(_ missing: Set<MissingFact>) { self.missing = missing }
  }

  /// - Returns: the part, and the facts that are missing to plan it; unless there are none, the part is
  ///   provisional.
  static func plan(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    missing: Set<MissingFact>, counts: SampleCounts
  ) -> (Result<PlannedPart, PlanRefusal>, Set<MissingFact>) {
    let questions = Questions(missing)
    let result = Result { () throws(PlanRefusal) in
      var planner = try PartPlanner(facts, rules, request, part: part, questions, counts)
      return try planner.plan()
    }
    return (result, questions.missing)
  }

  private init(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    _ questions: Questions, _ counts: SampleCounts
  ) throws(PlanRefusal) {
    self.facts = facts
    self.rules = rules
    self.request = request
    self.questions = questions
    self.counts = counts
    number = part
    tracks = Self.known(try Self.chosen(facts.tracks(for: rules), request.tracks), request.tracks)
    range = request.parts[part].range
    start = range.start
    guard !range.isEmpty else { throw PlanRefusal(.emptyRange, "the range is empty") }
    range = snapped(range)
    if request.mode == .copy { range = betweenKeyframes(range) }
    if rules.numbersPictures, !isSoundAlone { range = wholeFrames(of: range) }
    start = rules.hasFixedFrameRate ? firstFrame(in: range) : range.start
    if !isSoundAlone, let begin = wholeFramesBeforePictures(at: range.start) {
      start = begin
      range = MediaTimeRange(from: max(.zero, begin), to: range.end) ?? range
    }
  }

  private mutating func plan() throws(PlanRefusal) -> PlannedPart {
    guard !isSoundAlone || soundIndex != nil else {
      throw PlanRefusal(
        .notCuttable, "it has no audio track, and the output's extension is for audio only",
        hint: "Name the output .mp4, .mkv or .mov.")
    }
    do throws(ExactTimeError) {
      for index in tracks.indices {
        try plan(index)
        checkNumber(ofTrack: index)
      }
      if !rules.isISO { planCovers() }
      try checkStrictness()
      try checkPauses()
      if refusal == nil { try beginWithTheFirst() }
    } catch {
      throw .beyondNumbers
    }
    if let refusal { throw refusal }
    let shown = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }.map(\.shown)
    guard let first = shown.first else {
      if liesBetweenPackets {
        throw PlanRefusal(
          .emptyRange, "no audio packet begins in the range, which is shorter than one packet",
          hint: "Make it longer, or re-encode the audio.")
      }
      throw PlanRefusal(
        .emptyRange, "nothing in the file is shown in the range",
        hint: "Check the file's length first: the range must be within it.")
    }
    let written = shown.dropFirst().reduce(first) { $0.union($1) }
    do throws(ExactTimeError) {
      try endWithMedia(at: written.end)
      let asked = try range.end.distance(from: start)
      let end = try written.end.distance(from: .zero)
      let plan = PartPlan(
        source: part.source, requested: part.range, range: range, start: start,
        length: isFollowed ? try completingFrame(min(asked, end)) : min(asked, end),
        tracks: planned.map(\.plan))
      return PlannedPart(
        plan: plan, written: written,
        tracks: (planned.map(\.report) + covers + dropped).sorted { $0.index < $1.index },
        codedSound: codedSound)
    } catch {
      throw .beyondNumbers
    }
  }

  /// Where OUT lies after the end of audio and video, other tracks end with them.
  private mutating func endWithMedia(at end: MediaTime) throws(ExactTimeError) {
    let last = try start.advanced(by: end.distance(from: .zero))
    guard let written = MediaTimeRange(from: start, to: last) else { return }
    for place in planned.indices {
      let plan = planned[place].plan
      guard plan.video == nil, plan.audio == nil, plan.shown.end > end else { continue }
      let coded = tracks[plan.source].coded
      let limit = try coded.ticks(of: written).upperBound
      let left = plan.clipped.filter { coded.packets[$0].pts < limit }
      if left.count < plan.clipped.count {
        planned[place].plan.clipped = left
        count(left, of: coded, in: &planned[place].report)
      }
      let begin = left.isEmpty ? .zero : plan.shown.start
      planned[place].plan.shown = MediaTimeRange(from: begin, to: end) ?? plan.shown
    }
  }

  /// Keeps the first refusal.
  mutating func refuse(_ refusal: PlanRefusal) { self.refusal = self.refusal ?? refusal }

  /// Drops the track planned last if no stream number is left for it.
  private mutating func checkNumber(ofTrack index: Int) {
    let codecs = planned.map { $0.plan.soundCodec ?? tracks[$0.plan.source].codec }
    guard planned.last?.plan.source == index, let codec = codecs.last,
      let (family, most) = rules.mostTracks.first(where: { $0.key.contains(codec) }),
      codecs.count(where: family.contains) > most
    else { return }
    var report = planned.removeLast().report
    drop(&report, because: "\(rules.ending) holds at most \(most) tracks of \(codec)")
  }

  private mutating func plan(_ index: Int) throws(ExactTimeError) {
    let track = tracks[index]
    var report = TrackPlan(index: index, id: track.id, kind: track.kind, codec: track.codec)
    guard isChosen(track) else {
      drop(&report, because: TrackPlan.notSelected)
      return
    }
    if track.isMissingElsewhere {
      drop(&report, because: "not all sources have such a track")
      return
    }
    if track.isCover {
      planCover(report, track.attachedByteCount)
      return
    }
    let carriesData = rules.isISO && facts.isISO
    guard
      track.isPresented || track.kind == .subtitle
        || (track.kind == .attachment && rules.holdsAttachments)
        || (carriesData
          && (track.isChapterTrack || track.isTimecode || track.isTimedMetadata))
    else {
      drop(&report, because: whyNotCut(track))
      return
    }
    if request.chapters != nil, track.isChapterTrack {
      drop(&report, because: "other chapters are written")
      return
    }
    if isSoundAlone, !track.isChapterTrack, index != soundIndex {
      drop(&report, because: "the output is audio only")
      return
    }
    if rules.holdsOneOfEach, track.isPresented, index != mainTrack(track.kind) {
      drop(&report, because: "\(rules.ending) holds one track of each kind")
      return
    }
    if track.kind == .attachment {
      if let obstacle = track.obstacle {
        drop(&report, because: obstacle)
        return
      }
      try planAttachment(index, &report)
      return
    }
    if let obstacle = track.obstacle, track.isTimedMetadata {
      drop(&report, because: obstacle)
      return
    }
    if let obstacle = track.obstacle, track.kind != .subtitle {
      refuse(.cannotBeCut(track, obstacle))
      return
    }
    if track.isPresented, track.coded.packets.isEmpty, isAnythingElseThere {
      drop(&report, because: "it has no packets")
      return
    }
    guard fits(index, rules) else {
      if track.kind == .subtitle, SubtitleCodec.isText(track.codec), let codec = rules.textCodec {
        report.encodedAs = codec
        report.reasons.append(.codecDoesNotFit)
        try planSubtitles(index, &report)
      } else if track.kind == .subtitle || track.isTimedMetadata {
        drop(&report, because: "\(rules.ending) cannot hold \(track.codec)")
      } else if track.kind == .audio,
        convertsSound || track.convertsAtSeams || unpacks(index, rules)
      {
        try planConversion(index, &report)
      } else {
        refuse(doesNotFit(index))
      }
      return
    }
    if let obstacle = undescribed(track), track.kind != .subtitle {
      refuse(.cannotBeCut(track, obstacle))
      return
    }
    switch track.kind {
    case .video: try planVideo(index, &report)
    case .audio where SoundCodec.isPacked(track.codec): try planRepacking(index, &report)
    case .audio: try planAudio(index, &report)
    case .timecode:
      report.packets = try labels(of: track.coded)
      try planClipped(index, [], &report)
    default: try planSubtitles(index, &report)
    }
  }

  /// Whether another track has content: recorders declare tracks that stay empty, such as a
  /// microphone that was off.
  private var isAnythingElseThere: Bool {
    tracks.contains { $0.isPresented && isChosen($0) && !$0.coded.packets.isEmpty }
  }

  mutating func drop(_ report: inout TrackPlan, because reason: String) {
    report.dropped = reason
    dropped.append(report)
  }

  /// Where nothing is shown at IN yet, begins the output with its first frame or sample; where a kept packet
  /// begins before that, with that packet: nothing has a time before zero.
  private mutating func beginWithTheFirst() throws(ExactTimeError) {
    var begins: [MediaTime] = []
    for track in planned where track.plan.video != nil || track.plan.audio != nil {
      begins.append(try begin(of: track.plan))
    }
    guard !rules.hasFixedFrameRate || !writesPictures, let first = begins.min(), first != .zero
    else { return }
    let lead = try wholeFrames(of: first.distance(from: .zero))
    start = try start.advanced(by: lead)
    for place in planned.indices {
      let shown = planned[place].plan.shown
      let moved = MediaTimeRange(
        from: try max(.zero, shown.start.moved(back: lead)),
        to: try max(.zero, shown.end.moved(back: lead)))
      planned[place].plan.shown = moved ?? shown
    }
    try leaveOutWhatHasEnded()
  }

  /// When a track's first packet is shown, or would be where the container cannot hide it.
  private func begin(of plan: PartPlan.Track) throws(ExactTimeError) -> MediaTime {
    let track = tracks[plan.source]
    guard let cut = plan.audio, !plan.encodesSound, rules.vorbis == .firstIsMute,
      SoundCodec.mutesFirst(track.codec)
    else { return plan.shown.start }
    return try plan.shown.start.moved(
      back: track.coded.grid.duration(ofTicks: cut.hiddenStart))
  }

  func relative(_ range: MediaTimeRange) throws(ExactTimeError) -> MediaTimeRange {
    let from = try MediaTime.zero.advanced(by: range.start.distance(from: start))
    let to = try MediaTime.zero.advanced(by: range.end.distance(from: start))
    return MediaTimeRange(from: from, to: to) ?? range
  }
}
