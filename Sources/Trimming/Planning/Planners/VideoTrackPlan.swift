import ExactTime
import MediaFacts

/// Plans a video track of a part: which frames are copied and encoded, and what is lost.
struct VideoTrackPlan {
  private let context: PartContext
  private let index: Int
  private let track: SourceFacts.Track

  init(_ context: PartContext, _ index: Int) {
    self.context = context
    self.index = index
    track = context.tracks[index]
  }

  func plan(_ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let opened = try track.coded.opened(at: context.range)
    let range = opened.ticks
    var cut = videoCut(opened)
    cut.lead = opened.lead
    if context.request.mode == .copy, cut.encodedCount > 0 {
      return outcome.refuse(
        PlanRefusal(
          .notCuttable,
          "track \(track.id) (\(track.codec)) has no keyframes around the range between which it "
            + "could be copied", hint: "Re-encode the edges."))
    }
    guard cut.frameCount > 0 else {
      return outcome.drop(because: "none of its frames is on screen in the range")
    }
    guard cut.encodedCount == 0 || context.isEncodable(index) else {
      return outcome.refuse(
        PlanRefusal(
          .codecMissing, "there is no encoder for \(track.codec) (track \(track.id))",
          hint: advice))
    }
    let shown = try shownRange(of: cut, opened.coded, range, framesPerSecond: track.frameRate)
    if let obstacle = NumberedFrames(context: context).unnumbered(index, cut, until: shown.end) {
      return outcome.refuse(
        PlanRefusal(
          .codecDoesNotFit,
          "frames of track \(track.id) (\(track.codec)) \(obstacle), so they cannot "
            + "be written to \(context.rules.ending)", hint: context.doesNotFit(index).hint))
    }
    count(cut, track.coded.packets, &outcome)
    if context.rules.pictures.areNumbered, context.part.range.start != context.range.start,
      shown.start < context.part.range.start
    {
      outcome.report.reasons.append(.beginsWithFrame)
    }
    if track.losesRotation.contains(context.rules.container) {
      outcome.report.reasons.append(.rotationNotWritten)
    }
    if track.hasAlpha && (!context.rules.holdsAlpha || track.refit != nil)
      || track.mayLoseAlpha && context.decodesToAlpha(index)
    {
      outcome.report.reasons.append(.alphaNotWritten)
    }
    for reason in track.lostByRefit.map(\.reason) where !outcome.report.reasons.contains(reason) {
      outcome.report.reasons.append(reason)
    }
    if track.hasSecondLayer, cut.encodedCount > 0 {
      outcome.report.reasons.append(.secondLayerNotEncoded)
    }
    if hasOpenKeyframes(cut) { outcome.report.reasons.append(.openGOPKeyframes) }
    if losesTimecode { outcome.report.reasons.append(.timecodeNotWritten) }
    outcome.report.source = shown
    outcome.report.segments = try segments(of: cut, shown, opened.coded, range)
    var plan = PartPlan.Track(
      source: index, outputRange: try context.relative(shown), sourceRange: shown)
    plan.video = cut
    plan.difference = track.refit?.text
    outcome.plan = plan
  }

  /// How many copied keyframes are looked at: encoders open all groups, or all but some at scene changes.
  private static let lookedAt = 4

  /// Whether copied keyframes are not IDR pictures, which Chromium does not seek to in MP4.
  private func hasOpenKeyframes(_ cut: VideoCut) -> Bool {
    guard context.rules.isoFamily == .mp4, track.codec == .h264 else { return false }
    let keys = cut.copied.lazy.filter { track.coded.packets[$0].isKey }
    return keys.prefix(Self.lookedAt).contains {
      context.access(ofTrack: index, $0) == .recoveryPoint
    }
  }

  /// Whether a track's timecode cannot be stored in the output: a timecode track is carried over; otherwise
  /// the timecode at the new start is computed, where the rate is known.
  private var losesTimecode: Bool {
    guard context.facts.hasTimecode,
      index
        == context.tracks.indices.first(where: {
          context.tracks[$0].kind == .video && context.tracks[$0].isPresented
        })
    else { return false }
    if context.rules.isISO, context.facts.isISO, context.tracks.contains(where: \.isTimecode) {
      return false
    }
    return !(context.rules.isISO || context.rules.pictures.hasTimecodeTag) || track.frameRate == nil
  }

  private func videoCut(_ opened: OpenedTrack) -> VideoCut {
    let range = opened.ticks
    let planner = VideoPlanner(
      opened.coded.packets, leadingPictures: track.codec == .h264 ? .inPlace : .inHead,
      needsHead: context.follows && track.codec == .h264,
      access: { place in
        let access = context.access(ofTrack: index, place)
        // Such an HEVC picture does not begin a coded video sequence.
        return access == .recoveryPoint && track.codec == .hevc ? .flaggedOnly : access
      })
    if let refit = track.refit {
      return planner.encoded(range, because: refit.kind.reason)
    }
    return switch context.request.mode {
    case .reencode: planner.encoded(range, because: .askedFor)
    case .editList: planner.hiding(range)
    case .smart, .copy: planner.smart(range)
    }
  }

  private func count(
    _ cut: VideoCut, _ packets: ContiguousArray<CodedPacket>, _ outcome: inout TrackOutcome
  ) {
    outcome.report.packets = cut.frameCount
    outcome.report.encoded = cut.encodedCount
    outcome.report.hidden = cut.hidden.count
    outcome.report.encodedHead = cut.head.count + cut.replaced.count
    outcome.report.encodedTail = cut.tail.count
    let left = Set(cut.left)
    outcome.report.copiedBytes = cut.copied.lazy.filter { !left.contains($0) }
      .reduce(0) { $0 + Int64(packets[$1].byteCount) }
    let encoded = cut.head + cut.replaced + cut.tail
    // Edges are encoded for quality, not for size: 1.5 times as large.
    outcome.report.estimatedBytes = encoded.reduce(0) { $0 + Int64(packets[$1].byteCount) } * 3 / 2
    outcome.report.touchedGroups = Self.groups(of: encoded.sorted(), packets)
    if let reason = cut.reason { outcome.report.reasons.append(reason) }
    if !cut.hidden.isEmpty { outcome.report.reasons.append(.playersDiffer) }
  }

  /// The number of GOPs that some packets lie in.
  private static func groups(of places: [Int], _ packets: ContiguousArray<CodedPacket>) -> Int {
    var count = 0
    var last: Int?
    for place in places {
      if last.map({ packets[$0 + 1...place].contains(where: \.isKey) }) ?? true { count += 1 }
      last = place
    }
    return count
  }

  /// Re-encoded frames are shown before the copied run and after it, never in between.
  private func segments(
    of cut: VideoCut, _ shown: MediaTimeRange, _ track: CodedTrack, _ range: Range<Int64>
  ) throws(ExactTimeError) -> [TrackPlan.Segment] {
    let packets = track.packets
    let head = cut.head.count + cut.replaced.count
    let copied = cut.copiedCount - cut.hidden.count
    var entry = shown.end
    if cut.copiedCount > 0 {
      let first = cut.copied.lowerBound
      entry = head == 0 ? shown.start : try track.time(atTick: packets[first].pts)
    }
    var tail = shown.end
    if let first = cut.tail.map({ packets[$0].pts }).min() {
      tail = head + copied == 0 ? shown.start : try track.time(atTick: first)
    }
    var segments: [TrackPlan.Segment] = []
    func add(
      _ treatment: TrackPlan.Segment.Treatment, _ from: MediaTime, _ to: MediaTime, _ count: Int
    ) {
      guard count > 0, let source = MediaTimeRange(from: from, to: max(from, to)) else { return }
      segments.append(.init(treatment, part: context.number, source: source, packets: count))
    }
    let early = cut.hidden.filter { packets[$0].pts < range.lowerBound }
    let late = cut.hidden.filter { packets[$0].pts >= range.upperBound }
    if let first = early.map({ packets[$0].pts }).min() {
      add(.hidden, try track.time(atTick: first), shown.start, early.count)
    }
    add(.encoded, shown.start, entry, head)
    add(.copied, entry, tail, copied)
    add(.encoded, tail, shown.end, cut.tail.count)
    if let last = late.map({ packets[$0].pts &+ packets[$0].duration }).max() {
      add(.hidden, shown.end, try track.time(atTick: last), late.count)
    }
    return segments
  }

  /// From the first frame's PTS to the end of the last one, on the source's timeline.
  private func shownRange(
    of cut: VideoCut, _ track: CodedTrack, _ range: Range<Int64>, framesPerSecond rate: Rational?
  ) throws(ExactTimeError) -> MediaTimeRange {
    var (first, last, end) = (Int64.max, Int64.min, Int64.min)
    for place in cut.head + cut.replaced + Array(cut.copied) + cut.tail {
      let packet = track.packets[place]
      guard range.contains(packet.pts) else { continue }
      first = min(first, packet.pts)
      if packet.pts > last { (last, end) = (packet.pts, packet.pts &+ packet.duration) }
    }
    if end == last {
      // Without a duration it lasts as long as the previous frame.
      let before = track.packets.lazy.map(\.pts).filter { $0 < last }.max() ?? last
      end = last &+ (last - before)
    }
    // IN may lie between two ticks.
    let opening = try track.time(atTick: range.lowerBound)
    let opensAtIn = cut.lead != nil && opening <= context.range.start
    let from = opensAtIn ? context.range.start : try track.time(atTick: first)
    var to = try track.time(atTick: end)
    if context.rules.clipsPictures { to = min(to, context.range.end) }
    if context.rules.pictures.forgetsLastFrame {
      to = min(to, try endOfLast(from: track.time(atTick: last), framesPerSecond: rate))
    }
    // A held frame is repeated there, up to the frame period that contains OUT.
    if context.rules.audio.endsByPosition, let rate, rate.isPositive, context.range.end < to {
      let begin = try track.time(atTick: last)
      let frames = try context.range.end.distance(from: begin).seconds.multiplied(by: rate)
        .rounded(.up)
      let whole = MediaDuration(seconds: try Rational(max(1, frames)).divided(by: rate))
      to = min(to, try begin.advanced(by: whole))
    }
    return MediaTimeRange(from: from, to: max(from, to)) ?? context.part.range
  }

  /// Where the last frame of a transport stream ends, which is not stated: at OUT, or when it has been shown
  /// as long as the others.
  private func endOfLast(
    from begin: MediaTime, framesPerSecond rate: Rational?
  ) throws(ExactTimeError) -> MediaTime {
    guard let rate, rate.isPositive else { return context.range.end }
    let usual = MediaDuration(seconds: try Rational.one.divided(by: rate))
    return max(context.range.end, try begin.advanced(by: usual))
  }

  /// What to do where pictures cannot be re-encoded.
  private var advice: String {
    let keys = track.coded.packets.indices.filter { track.coded.packets[$0].isKey }
    guard keys.count == 1 else { return "Cut at keyframes, which needs no re-encoding." }
    return
      "It has only one keyframe, and a part that begins there needs no re-encoding; for any other "
      + "part, convert it first: ffmpeg -i IN -c:v ffv1 OUT.mkv"
  }
}

extension PictureRefit.Kind {
  fileprivate var reason: TrackPlan.Reason {
    switch self {
    case .otherFormat: .otherFormat
    case .noPictures: .noPictures
    case .codecNotHeld: .codecDoesNotFit
    }
  }
}

extension PictureRefit.Loss {
  fileprivate var reason: TrackPlan.Reason {
    switch self {
    case .alpha: .alphaNotWritten
    case .fieldOrder: .fieldOrderNotWritten
    case .hdrMetadata: .hdrMetadataNotWritten
    }
  }
}
