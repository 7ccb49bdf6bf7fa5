import ExactTime
import MediaFacts

/// Decides what becomes of every track of a source in one part of a cut.
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
  /// Other parts are in the same file.
  var isJoined: Bool { request.parts.count > 1 }

  /// The part, with its ends moved by less than a tick of the pictures where a frame begins there:
  /// people and programs round what they type.
  private(set) var range: MediaTimeRange
  /// The instant of the source that is the output's zero.
  private(set) var start: MediaTime
  var planned: [(plan: PartPlan.Track, report: TrackPlan)] = []
  var dropped: [TrackPlan] = []
  /// Of tracks whose encoded sound is heard to the end of its last packet: what packets hold.
  var codedSound: [Int: CodedFrames] = [:]
  var refusal: PlanRefusal?
  let questions: Questions

  /// What was asked of the facts and is not among them.
  final class Questions {
    var missing: Set<MissingFact>
    init(_ missing: Set<MissingFact>) { self.missing = missing }
  }

  /// - Returns: the part, and what must be known to plan it; where that is anything, the part does
  ///   not count.
  static func plan(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    missing: Set<MissingFact>
  ) -> (Result<PlannedPart, PlanRefusal>, Set<MissingFact>) {
    let questions = Questions(missing)
    let result = Result { () throws(PlanRefusal) in
      var planner = try PartPlanner(facts, rules, request, part: part, questions)
      return try planner.plan()
    }
    return (result, questions.missing)
  }

  private init(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    _ questions: Questions
  ) throws(PlanRefusal) {
    self.facts = facts
    self.rules = rules
    self.request = request
    self.questions = questions
    number = part
    tracks = try Self.chosen(facts.tracks(for: rules), request.tracks)
    range = request.parts[part].range
    start = range.start
    guard !range.isEmpty else { throw PlanRefusal(.emptyRange, "the range is empty") }
    range = snapped(range)
    if request.mode == .copy { range = betweenKeyframes(range) }
    if rules.numbersPictures, !isSoundAlone { range = wholeFrame(at: range) }
    start = rules.hasFixedFrameRate ? firstFrame(in: range) : range.start
  }

  /// The default track of sound, else the first one.
  private var soundIndex: Int? {
    let sound = tracks.indices.filter { tracks[$0].kind == .audio && tracks[$0].isPresented }
    return sound.first { tracks[$0].isDefault } ?? sound.first
  }

  /// Whether the default track of sound is all that is written.
  var isSoundAlone: Bool {
    request.isSoundAlone
      || rules.isMostlySound && soundIndex != nil
        && tracks.indices.contains {
          tracks[$0].kind == .video && tracks[$0].isPresented && !fits($0, rules)
        }
  }

  private mutating func plan() throws(PlanRefusal) -> PlannedPart {
    guard !isSoundAlone || soundIndex != nil else {
      throw PlanRefusal(
        .notCuttable, "there is no sound in it, and the output's name asks for sound alone",
        hint: "Name the output .mp4, .mkv or .mov.")
    }
    do throws(ExactTimeError) {
      for index in tracks.indices { try plan(index) }
      try checkStrictness()
      if refusal == nil { try beginWithTheFirst() }
    } catch {
      throw .beyondNumbers
    }
    if let refusal { throw refusal }
    let shown = planned.map(\.plan).filter { $0.video != nil || $0.audio != nil }.map(\.shown)
    guard let first = shown.first else {
      throw PlanRefusal(
        .emptyRange, "nothing of the file is shown in the range",
        hint: "Ask for the file's length first: the range must lie within it.")
    }
    let written = shown.dropFirst().reduce(first) { $0.union($1) }
    endWithMedia(at: written.end)
    do throws(ExactTimeError) {
      let asked = try range.end.distance(from: start)
      let plan = PartPlan(
        source: part.source, requested: part.range, range: range, start: start,
        length: try min(asked, written.end.distance(from: .zero)), tracks: planned.map(\.plan))
      return PlannedPart(
        plan: plan, written: written,
        tracks: (planned.map(\.report) + dropped).sorted { $0.index < $1.index },
        codedSound: codedSound)
    } catch {
      throw .beyondNumbers
    }
  }

  /// Where OUT lies behind the end of sound and pictures, nothing else goes on without them.
  private mutating func endWithMedia(at end: MediaTime) {
    for place in planned.indices {
      let track = planned[place].plan
      guard track.video == nil, track.audio == nil, track.shown.end > end else { continue }
      planned[place].plan.shown =
        MediaTimeRange(from: min(track.shown.start, end), to: end) ?? track.shown
    }
  }

  /// What the bitstream says of a keyframe; a question where that is not known yet.
  ///
  /// Until it is answered the keyframe is taken for a clean one: whoever looks for one asks no further.
  func access(ofTrack index: Int, _ place: Int) -> RandomAccessKind {
    let learned = facts.learned[index]?.access[place]
    if let access = tracks[index].everyAccess ?? learned { return access }
    questions.missing.insert(.access(source: part.source, track: index, place: place))
    return .idr
  }

  /// Whether there is an encoder; a question where that is not known yet.
  func isEncodable(_ index: Int) -> Bool {
    if let isEncodable = facts.learned[index]?.isEncodable { return isEncodable }
    questions.missing.insert(.encoder(source: part.source, track: index))
    return true
  }

  /// Keeps the first thing that stands in the way.
  mutating func refuse(_ refusal: PlanRefusal) { self.refusal = self.refusal ?? refusal }

  private func snapped(_ range: MediaTimeRange) -> MediaTimeRange {
    guard let track = tracks.first(where: { $0.kind == .video && $0.isPresented }),
      !track.coded.packets.isEmpty
    else { return range }
    let coded = track.coded
    // Nobody sees less than a millisecond of a frame that lasts longer.
    let most = MediaDuration(1, 1000)
    func snapped(_ time: MediaTime) -> MediaTime {
      if let slack = track.roundedBy {
        return counted(time, on: track) ?? coded.boundary(within: slack, of: time) ?? time
      }
      // What lies nearer to a rounded time than half of what it was rounded to may be it.
      if let slack = halfRounding(of: coded),
        let boundary = coded.boundary(within: slack, of: time)
      {
        return boundary
      }
      guard let tick = try? coded.firstTick(notBefore: time),
        let near = try? coded.time(atTick: tick), near != time,
        let distance = try? near.distance(from: time), distance < most,
        coded.packets.contains(where: { $0.pts == tick || $0.pts &+ $0.duration == tick })
      else { return time }
      let before = coded.packets.lazy.map(\.pts).filter { $0 < tick }.max()
      if let length = try? coded.grid.duration(ofTicks: tick &- (before ?? tick)),
        before != nil, length < MediaDuration(1, 500)
      {
        return time
      }
      return near
    }
    return MediaTimeRange(from: snapped(range.start), to: snapped(range.end)) ?? range
  }

  /// When a frame is shown whose stated time this is: frames keep their places when their times are
  /// counted, so that one that was named stays that one, however far its time was rounded.
  private func counted(_ time: MediaTime, on track: SourceFacts.Track) -> MediaTime? {
    guard let stated = facts.tracks.first(where: { $0.coded.index == track.coded.index })?.coded,
      stated.packets.count == track.coded.packets.count,
      let tick = try? stated.firstTick(notBefore: time),
      (try? stated.time(atTick: tick)) == time
    else { return nil }
    if let place = stated.packets.firstIndex(where: { $0.pts == tick }) {
      return try? track.coded.time(atTick: track.coded.packets[place].pts)
    }
    let places = stated.packets.indices
    guard let last = places.max(by: { stated.packets[$0].pts < stated.packets[$1].pts }),
      stated.packets[last].pts &+ stated.packets[last].duration == tick
    else { return nil }
    let packet = track.coded.packets[last]
    return try? track.coded.time(atTick: packet.pts &+ packet.duration)
  }

  /// Half a tick of containers that count milliseconds, whatever the rate of the frames (RFC 9559,
  /// 5.1.2.9; FLV).
  private func halfRounding(of track: CodedTrack) -> MediaDuration? {
    guard !facts.isISO, track.grid.secondsPerTick == Rational(1, 1000) else { return nil }
    return MediaDuration(1, 2000)
  }

  /// From the last keyframe at or before IN up to the first at or after OUT, without the frames
  /// that only the latter could show.
  private func betweenKeyframes(_ range: MediaTimeRange) -> MediaTimeRange {
    for (index, track) in tracks.enumerated() where track.kind == .video && track.isPresented {
      let coded = track.coded
      guard let ticks = try? coded.ticks(of: range),
        let part = VideoPlanner(
          coded.packets, leadingPictures: .inHead, access: { access(ofTrack: index, $0) }
        ).wholeGroups(around: ticks),
        let from = try? coded.time(atTick: part.lowerBound),
        let to = try? coded.time(atTick: part.upperBound),
        let result = MediaTimeRange(from: from, to: to)
      else { continue }
      return result
    }
    return range
  }

  /// From the beginning of the frame that is on screen at IN: a frame of a fixed rate cannot be shown
  /// in part.
  private func wholeFrame(at range: MediaTimeRange) -> MediaTimeRange {
    for track in tracks where track.kind == .video && track.isPresented {
      guard let opened = try? track.coded.opened(at: range) else { continue }
      guard let lead = opened.lead,
        let begin = try? track.coded.time(atTick: track.coded.packets[lead].pts)
      else { return range }
      return MediaTimeRange(from: max(.zero, begin), to: range.end) ?? range
    }
    return range
  }

  /// AVI has no presentation times: its pictures lie on a grid of frames from its first one, and
  /// what is reordered is shown later than it is decoded; the sound begins as much earlier.
  private func firstFrame(in range: MediaTimeRange) -> MediaTime {
    for track in tracks where track.kind == .video {
      guard let ticks = try? track.coded.ticks(of: range) else { continue }
      let pictures = track.coded.packets.lazy.map(\.pts).filter { ticks.contains($0) }
      guard let first = pictures.min(), let begin = try? track.coded.time(atTick: first) else {
        continue
      }
      // A single one waits for no other; behind another part the decoder has waited already.
      guard pictures.count > 1, !follows, let wait = wait(of: track),
        let start = try? begin.moved(back: wait)
      else { return begin }
      return start
    }
    return range.start
  }

  /// How much later than it is decoded the first picture is shown: in AVI that follows from the
  /// pictures themselves, and those of MPEG-4 wait for one other; `nil` where none waits.
  private func wait(of track: SourceFacts.Track) -> MediaDuration? {
    let packets = track.coded.packets
    guard packets.contains(where: { $0.pts != $0.dts }) else { return nil }
    if facts.format == rules.container.rawValue, let ticks = Self.wait(of: packets), ticks > 0 {
      return try? track.coded.grid.duration(ofTicks: ticks)
    }
    return track.frameRate.flatMap { try? MediaDuration(seconds: Rational.one.divided(by: $0)) }
  }

  /// The least ticks from any DTS to what is then shown first: Xvid leaves empty chunks behind its
  /// first picture, which wait for nothing.
  private static func wait(of packets: ContiguousArray<CodedPacket>) -> Int64? {
    var (shown, least) = (Int64.max, Int64?.none)
    for packet in packets.reversed() {
      shown = min(shown, packet.pts)
      least = min(least ?? .max, shown &- packet.dts)
    }
    return least
  }

  private mutating func plan(_ index: Int) throws(ExactTimeError) {
    let track = tracks[index]
    var report = TrackPlan(index: index, id: track.id, kind: track.kind, codec: track.codec)
    guard isChosen(track) else {
      drop(&report, because: "it was not chosen")
      return
    }
    let carriesData = rules.isISO && facts.isISO
    guard
      track.isPresented || track.kind == .subtitle
        || (carriesData && (track.isChapterTrack || track.isTimecode))
    else {
      drop(&report, because: "tracks of this kind are not cut")
      return
    }
    if isSoundAlone, !track.isChapterTrack, index != soundIndex {
      drop(&report, because: "the output is for sound alone")
      return
    }
    if let obstacle = track.obstacle, track.kind != .subtitle {
      refuse(cannotBeCut(track, obstacle))
      return
    }
    if track.isPresented, track.coded.packets.isEmpty, isAnythingElseThere {
      drop(&report, because: "it has no packets")
      return
    }
    guard fits(index, rules) else {
      if track.kind == .subtitle {
        drop(&report, because: "\(rules.ending) does not hold \(track.codec)")
      } else if isSoundAlone, track.kind == .audio, let codec = convertedCodec(of: track) {
        try planConversion(index, into: codec, &report)
      } else {
        refuse(doesNotFit(index))
      }
      return
    }
    if let obstacle = undescribed(track), track.kind != .subtitle {
      refuse(cannotBeCut(track, obstacle))
      return
    }
    switch track.kind {
    case .video: try planVideo(index, &report)
    case .audio: try planAudio(index, &report)
    case .timecode:
      report.packets = try labels(of: track.coded)
      try planClipped(index, [], &report)
    default: try planSubtitles(index, &report)
    }
  }

  /// Recorders announce tracks into which nothing came: a microphone that was off.
  private var isAnythingElseThere: Bool {
    tracks.contains { $0.isPresented && isChosen($0) && !$0.coded.packets.isEmpty }
  }

  private func cannotBeCut(_ track: SourceFacts.Track, _ obstacle: String) -> PlanRefusal {
    PlanRefusal(.notCuttable, "track \(track.id) (\(track.codec)) cannot be cut: " + obstacle)
  }

  mutating func drop(_ report: inout TrackPlan, because reason: String) {
    report.dropped = reason
    dropped.append(report)
  }

  /// Where nothing is shown at IN yet, the output begins with its first frame or sample; and where a
  /// packet goes along that begins before, with that: nothing has a time before zero.
  private mutating func beginWithTheFirst() throws(ExactTimeError) {
    var begins: [MediaTime] = []
    for track in planned where track.plan.video != nil || track.plan.audio != nil {
      begins.append(try begin(of: track.plan))
    }
    guard !rules.hasFixedFrameRate, let first = begins.min(), first != .zero else { return }
    let lead = try first.distance(from: .zero)
    start = try start.advanced(by: lead)
    for place in planned.indices {
      let shown = planned[place].plan.shown
      let moved = MediaTimeRange(
        from: try max(.zero, shown.start.moved(back: lead)),
        to: try max(.zero, shown.end.moved(back: lead)))
      planned[place].plan.shown = moved ?? shown
    }
  }

  /// When a track's first packet is shown, or where the container cannot hide it, would be.
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

  private mutating func planSubtitles(
    _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let track = tracks[index].coded
    let ticks = try track.ticks(of: range)
    let places = track.packets.indices.filter { place in
      let packet = track.packets[place]
      return packet.pts < ticks.upperBound
        && packet.pts &+ max(1, packet.duration) > ticks.lowerBound
    }
    report.packets = places.count
    report.copiedBytes = places.reduce(0) { $0 + Int64(track.packets[$1].byteCount) }
    try planClipped(index, places, &report)
  }

  private mutating func planClipped(
    _ index: Int, _ places: [Int], _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    report.source = range
    report.segments = [.init(.copied, part: number, source: range, packets: report.packets)]
    var plan = PartPlan.Track(source: index, shown: try relative(range), heard: range)
    plan.clipped = places
    planned.append((plan, report))
  }
  /// The label that is on where the part begins, and those with which samples begin in it: within a
  /// millisecond that one is meant.
  private func labels(of track: CodedTrack) throws(ExactTimeError) -> Int {
    let reached = try range.start.advanced(by: MediaDuration(1, 1000))
    return try 1
      + track.packets.dropFirst().count { (packet) throws(ExactTimeError) in
        let begin = try track.time(atTick: packet.pts)
        return begin > reached && begin < range.end
      }
  }
}
