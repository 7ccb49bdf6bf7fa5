import ExactTime
import MediaFacts

/// Decides what happens to every track of a source in one part of a cut.
struct PartPlanner {
  private let context: PartContext
  /// The instant of the source that is the output's zero.
  private var start: MediaTime
  private var planned: [(plan: PartPlan.Track, report: TrackPlan)] = []
  private var dropped: [TrackPlan] = []
  private var covers = KeptCovers()
  /// The frames (samples per packet) of tracks whose re-encoded audio plays to the end of its
  /// last packet.
  private var codedSound: [Int: CodedFrames] = [:]
  /// Whether sound is heard in the range although none of its packets begins there.
  private var liesBetweenPackets = false
  private var refusal: PlanRefusal?

  /// - Returns: the part, and the facts that are missing to plan it; unless there are none, the part is
  ///   provisional.
  static func plan(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    missing: Set<MissingFact>, counts: PartContext.SampleCounts
  ) -> (Result<PlannedPart, PlanRefusal>, Set<MissingFact>) {
    let questions = PartContext.Questions(missing)
    let result = Result { () throws(PlanRefusal) in
      var context = try PartContext(facts, rules, request, part: part, questions, counts)
      guard !context.range.isEmpty else { throw PlanRefusal(.emptyRange, "the range is empty") }
      (context.range, context.start) = RangeSnapper(context: context).snapped()
      var planner = PartPlanner(context)
      return try planner.plan()
    }
    return (result, questions.missing)
  }

  private init(_ context: PartContext) {
    self.context = context
    start = context.start
  }

  private mutating func plan() throws(PlanRefusal) -> PlannedPart {
    guard !context.isSoundAlone || context.soundIndex != nil else {
      throw PlanRefusal(
        .notCuttable, "it has no audio track, and the output's extension is for audio only",
        hint: "Name the output .mp4, .mkv or .mov.")
    }
    do throws(ExactTimeError) {
      for index in context.tracks.indices {
        try plan(index)
        checkNumber(ofTrack: index)
      }
      if !context.rules.isISO {
        // The covers of MP4, which are not tracks.
        for cover in context.facts.covers {
          plan(
            TrackPlan(index: cover.index, id: cover.id, kind: .video, codec: cover.codec),
            cover.byteCount)
        }
      }
      try checkStrictness()
      try checkPauses()
      if refusal == nil { try beginWithTheFirst() }
    } catch {
      throw .beyondNumbers
    }
    if let refusal { throw refusal }
    let shown = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }.map(\.outputRange)
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
      let asked = try context.range.end.distance(from: start)
      let end = try written.end.distance(from: .zero)
      let plan = PartPlan(
        source: context.part.source, requested: context.part.range, range: context.range,
        start: start,
        length: context.isFollowed
          ? try NumberedFrames(context: context).completingFrame(min(asked, end)) : min(asked, end),
        tracks: planned.map(\.plan))
      return PlannedPart(
        plan: plan, written: written,
        tracks: (planned.map(\.report) + covers.kept + dropped).sorted { $0.index < $1.index },
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
      guard plan.video == nil, plan.audio == nil, plan.outputRange.end > end else { continue }
      let coded = context.tracks[plan.source].coded
      let limit = try coded.ticks(of: written).upperBound
      let left = plan.clipped.filter { coded.packets[$0].pts < limit }
      if left.count < plan.clipped.count {
        planned[place].plan.clipped = left
        planned[place].report.count(left, of: coded)
      }
      let begin = left.isEmpty ? .zero : plan.outputRange.start
      planned[place].plan.outputRange = MediaTimeRange(from: begin, to: end) ?? plan.outputRange
    }
  }

  /// Keeps the first refusal.
  private mutating func refuse(_ refusal: PlanRefusal) { self.refusal = self.refusal ?? refusal }

  /// Drops the track planned last if no stream number is left for it.
  private mutating func checkNumber(ofTrack index: Int) {
    let codecs = planned.map { $0.plan.soundCodec ?? context.tracks[$0.plan.source].codec }
    guard planned.last?.plan.source == index, let codec = codecs.last,
      let (family, most) = context.rules.limits.mostTracks.first(where: { $0.key.contains(codec) }),
      codecs.count(where: family.contains) > most
    else { return }
    drop(
      planned.removeLast().report,
      because: "\(context.rules.ending) holds at most \(most) tracks of \(codec)")
  }

  private mutating func plan(_ index: Int) throws(ExactTimeError) {
    let track = context.tracks[index]
    let report = TrackPlan(index: index, id: track.id, kind: track.kind, codec: track.codec)
    if track.isCover, context.isChosen(track), !track.isMissingElsewhere {
      plan(report, track.attachedByteCount)
      return
    }
    var outcome = TrackOutcome(report: report, refusal: refusal)
    try decide(index, &outcome)
    refusal = outcome.refusal
    codedSound[index] = outcome.codedSound
    if outcome.liesBetweenPackets { liesBetweenPackets = true }
    if outcome.report.dropped != nil {
      dropped.append(outcome.report)
    } else if let plan = outcome.plan {
      planned.append((plan, outcome.report))
    }
  }

  private mutating func plan(_ cover: TrackPlan, _ byteCount: Int64) {
    if let left = covers.add(cover, byteCount, context.rules, isCounted: context.number == 0) {
      dropped.append(left)
    }
  }

  private func decide(_ index: Int, _ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let track = context.tracks[index]
    let clipped = ClippedTrackPlan(context: context, index: index)
    guard context.isChosen(track) else {
      return outcome.drop(because: TrackPlan.notSelected)
    }
    if track.isMissingElsewhere {
      return outcome.drop(because: "not all sources have such a track")
    }
    let carriesData = context.rules.isISO && context.facts.isISO
    guard
      track.isPresented || track.kind == .subtitle
        || (track.kind == .attachment && context.rules.labels.holdsAttachments)
        || (carriesData
          && (track.isChapterTrack || track.isTimecode || track.isTimedMetadata))
    else {
      return outcome.drop(because: context.whyNotCut(track))
    }
    if context.request.chapters != nil, track.isChapterTrack {
      return outcome.drop(because: "other chapters are written")
    }
    if context.isSoundAlone, !track.isChapterTrack, index != context.soundIndex {
      return outcome.drop(because: "the output is audio only")
    }
    if context.rules.limits.holdsOneOfEach, track.isPresented,
      index != context.mainTrack(track.kind)
    {
      return outcome.drop(because: "\(context.rules.ending) holds one track of each kind")
    }
    if track.kind == .attachment {
      if let obstacle = track.obstacle {
        return outcome.drop(because: obstacle)
      }
      let others = planned.reduce(0) { $0 + context.tracks[$1.plan.source].attachedByteCount }
      return try clipped.planAttachment(beside: others, &outcome)
    }
    if let obstacle = track.obstacle, track.isTimedMetadata {
      return outcome.drop(because: obstacle)
    }
    if let obstacle = track.obstacle, track.kind != .subtitle {
      return outcome.refuse(.cannotBeCut(track, obstacle))
    }
    if track.isPresented, track.coded.packets.isEmpty, isAnythingElseThere {
      return outcome.drop(because: "it has no packets")
    }
    guard context.fits(index, context.rules) else {
      if track.kind == .subtitle, SubtitleCodec.isText(track.codec),
        let codec = context.rules.labels.textCodec
      {
        outcome.report.encodedAs = codec
        outcome.report.reasons.append(.codecDoesNotFit)
        try clipped.planSubtitles(&outcome)
      } else if track.kind == .subtitle || track.isTimedMetadata {
        outcome.drop(because: "\(context.rules.ending) cannot hold \(track.codec)")
      } else if track.kind == .audio,
        context.convertsSound || track.convertsAtSeams || context.unpacks(index, context.rules)
      {
        try AudioTrackPlan(context, index).planConversion(&outcome)
      } else {
        outcome.refuse(context.doesNotFit(index))
      }
      return
    }
    if let obstacle = context.undescribed(track), track.kind != .subtitle {
      return outcome.refuse(.cannotBeCut(track, obstacle))
    }
    switch track.kind {
    case .video: try VideoTrackPlan(context, index).plan(&outcome)
    case .audio where AudioCodec.isPacked(track.codec):
      try AudioTrackPlan(context, index).planRepacking(&outcome)
    case .audio: try AudioTrackPlan(context, index).plan(&outcome)
    case .timecode: try clipped.planTimecode(&outcome)
    default: try clipped.planSubtitles(&outcome)
    }
  }

  /// Whether another track has content: recorders declare tracks that stay empty, such as a
  /// microphone that was off.
  private var isAnythingElseThere: Bool {
    context.tracks.contains { $0.isPresented && context.isChosen($0) && !$0.coded.packets.isEmpty }
  }

  private mutating func drop(_ report: TrackPlan, because reason: String) {
    var report = report
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
    guard !context.rules.pictures.hasFixedFrameRate || !context.writesPictures,
      let first = begins.min(),
      first != .zero
    else { return }
    let lead = try NumberedFrames(context: context).wholeFrames(of: first.distance(from: .zero))
    start = try start.advanced(by: lead)
    for place in planned.indices {
      let shown = planned[place].plan.outputRange
      let moved = MediaTimeRange(
        from: try max(.zero, shown.start.moved(back: lead)),
        to: try max(.zero, shown.end.moved(back: lead)))
      planned[place].plan.outputRange = moved ?? shown
    }
    try leaveOutWhatHasEnded()
  }

  /// When a track's first packet is shown, or would be where the container cannot hide it.
  private func begin(of plan: PartPlan.Track) throws(ExactTimeError) -> MediaTime {
    let track = context.tracks[plan.source]
    guard let cut = plan.audio, !plan.encodesSound, context.rules.audio.vorbis == .firstIsMute,
      AudioCodec.mutesFirst(track.codec)
    else { return plan.outputRange.start }
    return try plan.outputRange.start.moved(
      back: track.coded.grid.duration(ofTicks: cut.hiddenStart))
  }

  /// Where the output begins later than the range, drops text and metadata that had already ended.
  private mutating func leaveOutWhatHasEnded() throws(ExactTimeError) {
    for place in planned.indices.reversed() {
      let plan = planned[place].plan
      let track = context.tracks[plan.source]
      guard !plan.clipped.isEmpty, track.isTimedMetadata || SubtitleCodec.isText(track.codec),
        let rest = MediaTimeRange(from: start, to: max(start, context.range.end))
      else { continue }
      let first = try track.coded.ticks(of: rest).lowerBound
      let left = plan.clipped.filter {
        let (end, isBeyond) = track.coded.packets[$0].pts.addingReportingOverflow(
          max(1, track.coded.packets[$0].duration))
        return isBeyond || end > first
      }
      guard left.count < plan.clipped.count else { continue }
      if left.isEmpty, track.isTimedMetadata {
        drop(planned.remove(at: place).report, because: "none of it is in the range")
        continue
      }
      planned[place].plan.clipped = left
      planned[place].report.count(left, of: track.coded)
    }
  }

  /// Refuses a plan that would leave content from outside the range in the file, where that is
  /// forbidden.
  private mutating func checkStrictness() throws(ExactTimeError) {
    guard context.request.isStrict, refusal == nil else { return }
    if start < context.part.range.start, try !isRounded(context.part.range.start) {
      refuse(
        PlanRefusal(
          .notCuttable,
          context.request.mode == .copy
            ? "without re-encoding, the file would begin before the range, at a keyframe"
            : "the frames of a \(context.rules.ending) file have a fixed rate: it would begin before the "
              + "range",
          hint: context.request.mode == .copy
            ? "Re-encode the edges, or begin at a keyframe." : "Write .mp4 or .mkv."))
    }
    if context.range.end > context.part.range.end, try !isRounded(context.part.range.end) {
      refuse(
        PlanRefusal(
          .notCuttable, "without re-encoding, the file would end after the range",
          hint: "Re-encode the edges, or end at a keyframe."))
    }
    for (plan, report) in planned {
      guard let cut = plan.video else { continue }
      let opened = try context.tracks[plan.source].coded.opened(at: context.range)
      let left = Set(cut.left)
      let isWithin = cut.copied.allSatisfy { place in
        left.contains(place) || opened.ticks.contains(opened.coded.packets[place].pts)
      }
      guard !isWithin || !cut.hidden.isEmpty else { continue }
      refuse(
        PlanRefusal(
          .notCuttable,
          "copied frames of track \(report.id) (\(report.codec)) would be outside the range",
          hint: "Re-encode every frame."))
    }
  }

  /// Whether an endpoint was moved only because it was a rounded frame start.
  private func isRounded(_ end: MediaTime) throws(ExactTimeError) -> Bool {
    let moved = end == context.part.range.start ? start : context.range.end
    return try moved.distance(from: end).checkedMagnitude() <= MediaDuration(1, 1000)
  }

  /// Refuses a gap across all tracks that readers would treat as a clock reset.
  private mutating func checkPauses() throws(ExactTimeError) {
    guard let longest = context.rules.times.longestPause, refusal == nil else { return }
    let media = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }
    guard let first = media.first else { return }
    for pause in try pauses(of: first, over: longest) {
      var isFilled = false
      for other in media.dropFirst() where try beginsAnything(of: other, in: pause) {
        isFilled = true
      }
      if isFilled { continue }
      refuse(
        PlanRefusal(
          .notCuttable,
          "no packet begins for more than ten minutes of the range, which readers of "
            + "\(context.rules.ending) treat as a clock reset",
          hint: "Write .mp4 or .mkv."))
      return
    }
  }

  /// Where no packet of a track begins for longer than a length; the frame on screen at IN counts as
  /// beginning there.
  private func pauses(
    of plan: PartPlan.Track, over length: MediaDuration
  ) throws(ExactTimeError) -> [MediaTimeRange] {
    let coded = context.tracks[plan.source].coded
    let ticks = try coded.ticks(of: context.range)
    let most = try coded.grid.ticks(of: length, rounding: .down)
    var last = ticks.lowerBound
    var pauses: [MediaTimeRange] = []
    for place in coded.packets.indices where ticks.contains(coded.packets[place].pts) {
      // A PTS far ahead of its DTS is damage.
      let begin = min(coded.packets[place].pts, coded.packets[place].dts)
      if begin &- last > most,
        let pause = MediaTimeRange(
          from: try coded.time(atTick: last), to: try coded.time(atTick: begin))
      {
        pauses.append(pause)
      }
      last = max(last, begin)
    }
    return pauses
  }

  private func beginsAnything(
    of plan: PartPlan.Track, in pause: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let coded = context.tracks[plan.source].coded
    let ticks = try coded.ticks(of: pause)
    return coded.packets.contains { ticks.contains($0.pts) && $0.pts > ticks.lowerBound }
  }
}

/// What is decided about one track.
struct TrackOutcome {
  /// It says why the track is left out, if it is.
  var report: TrackPlan
  /// `nil` where the track is left out or refused.
  var plan: PartPlan.Track?
  /// Why the part cannot be cut, because of this track or one before it.
  var refusal: PlanRefusal?
  /// Of re-encoded audio that plays to the end of its last packet.
  var codedSound: CodedFrames?
  /// Whether sound is heard in the range although none of its packets begins there.
  var liesBetweenPackets = false

  init(report: TrackPlan, refusal: PlanRefusal?) {
    self.report = report
    self.refusal = refusal
  }

  mutating func drop(because reason: String) { report.dropped = reason }

  /// Keeps the first refusal.
  mutating func refuse(_ refusal: PlanRefusal) { self.refusal = self.refusal ?? refusal }
}
