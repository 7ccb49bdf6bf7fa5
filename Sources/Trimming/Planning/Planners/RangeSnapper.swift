import ExactTime
import MediaFacts

/// Moves the ends of a part to where it can begin and end: the frames that its endpoints refer to, keyframes, or
/// whole frames.
struct RangeSnapper {
  let context: PartContext

  /// The range, and the instant of the source that is the output's zero.
  func snapped() -> (range: MediaTimeRange, start: MediaTime) {
    var range = snapped(context.range)
    if context.request.mode == .copy { range = betweenKeyframes(range) }
    if context.rules.pictures.areNumbered, !context.isSoundAlone { range = wholeFrames(of: range) }
    let start = context.rules.pictures.hasFixedFrameRate ? firstFrame(in: range) : range.start
    guard !context.isSoundAlone,
      let begin = NumberedFrames(context: context).wholeFramesBeforePictures(at: range.start)
    else { return (range, start) }
    return (MediaTimeRange(from: max(.zero, begin), to: range.end) ?? range, begin)
  }

  private func snapped(_ range: MediaTimeRange) -> MediaTimeRange {
    guard let track = context.tracks.first(where: { $0.kind == .video && $0.isPresented }),
      !track.coded.packets.isEmpty
    else { return range }
    let coded = track.coded
    // Less than a millisecond of a longer frame is invisible.
    let most = MediaDuration(1, 1000)
    func snapped(_ time: MediaTime) -> MediaTime {
      if let slack = track.roundedBy {
        return counted(time, on: track) ?? coded.boundary(within: slack, of: time) ?? time
      }
      // A time within rounding of a rounded boundary may mean that boundary.
      if let slack = rounding(of: coded),
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

  /// The counted time of the frame with this stated time: frames keep their indices when their
  /// times are counted, so the same frame is meant however far its time was rounded.
  private func counted(_ time: MediaTime, on track: SourceFacts.Track) -> MediaTime? {
    guard
      let stated = context.facts.tracks.first(where: { $0.coded.index == track.coded.index })?
        .coded,
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

  /// How far the time stamp of a frame can be from its ideal time (its number by the rate).
  ///
  /// Half a tick where milliseconds are counted from zero (RFC 9559, 5.1.2.9; FLV), a tick where 1/90000 s
  /// ticks are counted from a first frame that is rounded too (ISO/IEC 13818-1, 2.4.2.2, and MP4 made from
  /// it): a frame at 60000/1001 Hz lasts 1501.5 ticks.
  private func rounding(of track: CodedTrack) -> MediaDuration? {
    switch track.grid.secondsPerTick {
    case Rational(1, 90_000): MediaDuration(1, 90_000)
    case Rational(1, 1000) where !context.facts.isISO: MediaDuration(1, 2000)
    default: nil
    }
  }

  /// From the last keyframe at or before IN to the first at or after OUT, without frames that need
  /// the latter to be shown.
  private func betweenKeyframes(_ range: MediaTimeRange) -> MediaTimeRange {
    for (index, track) in context.tracks.enumerated()
    where track.kind == .video && track.isPresented {
      let coded = track.coded
      guard let ticks = try? coded.ticks(of: range),
        let groups = VideoPlanner(
          coded.packets, leadingPictures: .inHead, access: { context.access(ofTrack: index, $0) }
        ).wholeGroups(around: ticks),
        let from = try? coded.time(atTick: groups.lowerBound),
        let to = try? coded.time(atTick: groups.upperBound),
        let result = MediaTimeRange(from: from, to: to)
      else { continue }
      return result
    }
    return range
  }

  /// From the start of the frame on screen at IN, since a frame at a fixed rate cannot be shown in part.
  ///
  /// Where parts are joined, also to the end of the last frame: otherwise audio and video would drift apart
  /// with each part.
  private func wholeFrames(of range: MediaTimeRange) -> MediaTimeRange {
    for track in context.tracks where track.kind == .video && track.isPresented {
      guard let opened = try? track.coded.opened(at: range) else { continue }
      let begin = opened.lead.flatMap {
        try? track.coded.time(atTick: track.coded.packets[$0].pts)
      }
      return MediaTimeRange(
        from: begin.map { max(.zero, $0) } ?? range.start,
        to: context.isJoined ? endOfFrame(at: range.end, track.coded) : range.end) ?? range
    }
    return range
  }

  /// When the frame that is on screen just before a time ends; past the last frame, a whole number of frames
  /// after it.
  private func endOfFrame(at time: MediaTime, _ coded: CodedTrack) -> MediaTime {
    guard let tick = try? coded.firstTick(notBefore: time),
      let last = coded.packets.max(by: { $0.pts < $1.pts })
    else { return time }
    let next = coded.packets.lazy.map(\.pts).filter { $0 >= tick }.min()
    var end = next ?? last.pts &+ last.duration
    if end < tick, last.duration > 0 {
      end = end &+ (tick &- end &+ last.duration &- 1) / last.duration &* last.duration
    }
    return max(time, (try? coded.time(atTick: end)) ?? time)
  }

  /// Where video begins in AVI, which has no presentation times: frames lie on a fixed grid from the
  /// first one, and reordered ones are shown later than they are decoded; the audio begins earlier by
  /// the same amount.
  private func firstFrame(in range: MediaTimeRange) -> MediaTime {
    for track in context.tracks where track.kind == .video {
      guard let ticks = try? track.coded.ticks(of: range) else { continue }
      let pictures = track.coded.packets.lazy.map(\.pts).filter { ticks.contains($0) }
      guard let first = pictures.min(), let begin = try? track.coded.time(atTick: first) else {
        continue
      }
      // After another part, the decoder delay has already passed.
      guard !context.follows, let wait = wait(of: track, for: first, among: pictures.count),
        let start = try? begin.moved(back: wait)
      else { return begin }
      return start
    }
    return range.start
  }

  /// How much later the first picture is shown than it is decoded: in AVI that follows from the pictures
  /// themselves, and an MPEG-4 decoder delays by one picture; `nil` where there is no delay.
  private func wait(
    of track: SourceFacts.Track, for first: Int64, among count: Int
  ) -> MediaDuration? {
    let packets = track.coded.packets
    guard packets.contains(where: { $0.pts != $0.dts }) else { return nil }
    // Their decoders delay by the number of frames stated in the headers, which the output keeps.
    if context.facts.format == context.rules.container.rawValue, track.codec.usesNALUnits {
      let place = packets.count { $0.pts < first }
      guard packets.indices.contains(place) else { return nil }
      return try? track.coded.grid.duration(ofTicks: first &- packets[place].dts)
    }
    // A single frame is not delayed by reordering.
    guard count > 1 else { return nil }
    if context.facts.format == context.rules.container.rawValue,
      let ticks = Self.wait(of: packets) ?? Self.step(from: first, in: packets)
    {
      return try? track.coded.grid.duration(ofTicks: ticks)
    }
    return track.frameRate.flatMap {
      try? MediaDuration(seconds: Rational.one.divided(by: $0))
    }
  }

  /// The smallest distance in ticks from any DTS to the earliest PTS from there on: Xvid leaves
  /// empty chunks after its first picture, which wait for nothing.
  private static func wait(of packets: ContiguousArray<CodedPacket>) -> Int64? {
    var (shown, least) = (Int64.max, Int64?.none)
    for packet in packets.reversed() {
      shown = min(shown, packet.pts)
      least = min(least ?? .max, shown &- packet.dts)
    }
    return least.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The packet spacing after a picture's packet: there may be empty slots in between, but not everywhere.
  private static func step(from pts: Int64, in packets: ContiguousArray<CodedPacket>) -> Int64? {
    guard let place = packets.firstIndex(where: { $0.pts == pts }) else { return nil }
    let next = packets[place...].prefix(9)
    return zip(next, next.dropFirst()).map { $1.dts &- $0.dts }.filter { $0 > 0 }.min()
  }
}
