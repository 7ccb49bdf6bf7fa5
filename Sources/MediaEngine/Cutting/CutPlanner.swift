#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// Decides what becomes of every track of a source, without writing anything.
  struct CutPlanner {
    let source: any CutSource
    let request: CutRequest
    let container: OutputContainer
    /// The part of the request that this is about.
    let part: MediaTimeRange
    /// Another part is shown before it in the same file.
    let follows: Bool
    /// Other parts are in the same file.
    var isJoined: Bool { request.parts.count > 1 }

    /// A track of the output before its packets are made.
    struct PlannedTrack {
      var source: Int
      var video: VideoCut?
      var audio: AudioCut?
      /// How sound is coded anew; `nil` where packets are copied.
      var sound: SoundCoding?
      var subtitles: [Int] = []
      var encoder: EncoderChoice?
      var shown: MediaTimeRange
      var report: TrackPlan
    }

    /// The part, with its ends moved by less than a tick of the pictures where a frame begins there:
    /// people and programs round what they type.
    private(set) var range: MediaTimeRange
    /// The instant of the source that is the output's zero: IN, or where pictures come later by the
    /// container's nature, as much before it.
    private(set) var start: MediaTime
    var planned: [PlannedTrack] = []
    var dropped: [TrackPlan] = []

    init(
      _ source: any CutSource, _ request: CutRequest, _ container: OutputContainer, part: Int
    ) throws(CutError) {
      self.part = request.parts[part]
      follows = part > 0
      self.source = source
      self.request = request
      self.container = container
      range = Self.snapped(self.part, source)
      if request.mode == .copy { range = Self.betweenKeyframes(range, source) }
      if request.mode == .editList, !container.isISO {
        throw CutError(
          .codecDoesNotFit, "\(container.endings) has no edit lists to hide frames with",
          hint: "These have: .mp4, .mov.")
      }
      start = range.start
      if container == .avi { start = Self.start(range, source) }
      guard !self.part.isEmpty else {
        throw CutError(.emptyRange, "the range is empty")
      }
      for index in source.tracks.indices {
        do throws(ExactTimeError) {
          try plan(index)
        } catch {
          throw CutError.beyondNumbers
        }
      }
      if let refusal { throw refusal }
      do throws(ExactTimeError) {
        try beginWithTheFirst()
      } catch {
        throw CutError.beyondNumbers
      }
      guard planned.contains(where: { $0.video != nil || $0.audio != nil }) else {
        throw CutError(
          .emptyRange, "nothing of the film is shown in the range",
          hint: "`trim probe` tells how long it is.")
      }
    }

    var refusal: CutError?

    private static func snapped(
      _ range: MediaTimeRange, _ source: any CutSource
    ) -> MediaTimeRange {
      guard
        let track = source.tracks.first(where: { $0.facts.kind == .video && $0.facts.isPresented }),
        !track.coded.packets.isEmpty
      else { return range }
      let coded = track.coded
      func snapped(_ time: MediaTime) -> MediaTime {
        if let slack = track.roundedBy { return coded.boundary(within: slack, of: time) ?? time }
        guard let tick = try? coded.firstTick(notBefore: time),
          let near = try? coded.time(atTick: tick), near != time,
          coded.packets.contains(where: { $0.pts == tick || $0.pts &+ $0.duration == tick })
        else { return time }
        return near
      }
      return MediaTimeRange(from: snapped(range.start), to: snapped(range.end)) ?? range
    }

    /// From the last keyframe at or before IN up to the first at or after OUT, without the frames
    /// that only the latter could show.
    private static func betweenKeyframes(
      _ range: MediaTimeRange, _ source: any CutSource
    ) -> MediaTimeRange {
      for (index, track) in source.tracks.enumerated()
      where track.facts.kind == .video && track.facts.isPresented {
        let coded = track.coded
        guard let ticks = try? coded.ticks(of: range),
          let part = VideoPlanner(
            coded.packets, leadingPictures: .inHead,
            access: { source.access(ofTrack: index, $0) }
          ).wholeGroups(around: ticks),
          let from = try? coded.time(atTick: part.lowerBound),
          let to = try? coded.time(atTick: part.upperBound),
          let result = MediaTimeRange(from: from, to: to)
        else { continue }
        return result
      }
      return range
    }

    /// AVI has no presentation times: its pictures lie on a grid of frames from its first one, and
    /// what is reordered is shown a frame later than it is decoded; the sound begins as much earlier.
    private static func start(_ range: MediaTimeRange, _ source: any CutSource) -> MediaTime {
      for track in source.tracks where track.facts.kind == .video {
        guard let ticks = try? track.coded.ticks(of: range) else { continue }
        let pictures = track.coded.packets.lazy.map(\.pts).filter { ticks.contains($0) }
        guard let first = pictures.min(), let begin = try? track.coded.time(atTick: first) else {
          continue
        }
        // A single one waits for no other.
        guard pictures.count > 1, track.coded.packets.contains(where: { $0.pts != $0.dts }),
          let rate = track.facts.video?.nominalFrameRate,
          let frame = try? Rational.one.divided(by: rate),
          let start = try? begin.moved(back: MediaDuration(seconds: frame))
        else { return begin }
        return start
      }
      return range.start
    }

    private mutating func plan(_ index: Int) throws(ExactTimeError) {
      let track = source.tracks[index]
      var report = TrackPlan(
        index: index, id: track.facts.id, kind: track.facts.kind, codec: track.facts.codec)
      let isISO = container.isISO && source is ISOCutSource
      guard
        track.facts.isPresented || track.facts.kind == .subtitle
          || (isISO && (track.isChapterTrack || track.timecode != nil))
      else {
        report.dropped = "tracks of this kind are not cut"
        dropped.append(report)
        return
      }
      guard fits(track) else {
        if track.facts.kind == .subtitle {
          report.dropped = "\(container.endings) does not hold \(track.facts.codec)"
          dropped.append(report)
        } else {
          refusal = refusal ?? doesNotFit(track)
        }
        return
      }
      if let obstacle = track.obstacle ?? undescribed(track), track.facts.kind != .subtitle {
        refusal =
          refusal
          ?? CutError(
            .notCuttable,
            "track \(track.facts.id) (\(track.facts.codec)) cannot be cut: "
              + obstacle)
        return
      }
      switch track.facts.kind {
      case .video: try planVideo(index, &report)
      case .audio: try planAudio(index, &report)
      case .timecode:
        report.packets = 1
        report.source = range
        planned.append(
          PlannedTrack(source: index, shown: try relative(range), report: report))
      default: try planSubtitles(index, &report)
      }
    }

    /// Where nothing is shown at IN yet, the output begins with its first frame or sample; Ogg has
    /// no place for one that is heard before zero.
    private mutating func beginWithTheFirst() throws(ExactTimeError) {
      var begins: [MediaTime] = []
      for track in planned where track.video != nil || track.audio != nil {
        begins.append(try begin(of: track))
      }
      guard container != .avi, let first = begins.min(),
        first > .zero || (container == .ogg && first < .zero)
      else { return }
      let lead = try first.distance(from: .zero)
      start = try start.advanced(by: lead)
      for place in planned.indices {
        let moved = MediaTimeRange(
          from: try max(.zero, planned[place].shown.start.moved(back: lead)),
          to: try max(.zero, planned[place].shown.end.moved(back: lead)))
        planned[place].shown = moved ?? planned[place].shown
      }
    }

    /// When a track's first packet is shown, or in Matroska, which cannot hide it, would be.
    private func begin(of track: PlannedTrack) throws(ExactTimeError) -> MediaTime {
      guard let cut = track.audio, track.sound == nil, [.matroska, .webm].contains(container),
        source.tracks[track.source].facts.codec == "vorbis"
      else { return track.shown.start }
      let grid = source.tracks[track.source].coded.grid
      return try track.shown.start.moved(back: grid.duration(ofTicks: cut.hiddenStart))
    }

    func relative(_ range: MediaTimeRange) throws(ExactTimeError) -> MediaTimeRange {
      let from = try MediaTime.zero.advanced(by: range.start.distance(from: start))
      let to = try MediaTime.zero.advanced(by: range.end.distance(from: start))
      return MediaTimeRange(from: from, to: to) ?? range
    }

    private mutating func planSubtitles(
      _ index: Int, _ report: inout TrackPlan
    ) throws(ExactTimeError) {
      let track = source.tracks[index].coded
      let ticks = try track.ticks(of: self.range)
      let places = track.packets.indices.filter { place in
        let packet = track.packets[place]
        return packet.pts < ticks.upperBound
          && packet.pts &+ max(1, packet.duration) > ticks.lowerBound
      }
      report.packets = places.count
      report.copiedBytes = places.reduce(0) { $0 + Int64(track.packets[$1].byteCount) }
      report.source = range
      planned.append(
        PlannedTrack(
          source: index, subtitles: places, shown: try relative(range), report: report))
    }

    /// The plan as a value for people and programs.
    var plan: CutPlan {
      let shown = planned.filter { $0.video != nil || $0.audio != nil }.map(\.shown)
      let written = shown.dropFirst().reduce(shown.first ?? self.part) { $0.union($1) }
      return CutPlan(
        requested: self.part, parts: [self.part], written: written,
        tracks: (planned.map(\.report) + dropped).sorted { $0.index < $1.index })
    }
  }
#endif
