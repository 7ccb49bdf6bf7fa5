#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// The parts of a request, each planned, in the order in which they are shown.
  struct PlannedParts {
    private let source: any CutSource
    private let container: OutputContainer
    private let planners: [CutPlanner]

    init(
      _ source: any CutSource, _ request: CutRequest, _ container: OutputContainer
    ) throws(CutError) {
      self.source = source
      self.container = container
      guard request.parts.count == 1 || request.mode != .editList else {
        throw CutError(
          .notCuttable, "parts whose surplus an edit list hides cannot stand in one file",
          hint: "Leave out --join, or use --mode smart.")
      }
      guard request.parts.count == 1 || container != .flac || request.audio == .reencode
      else {
        throw CutError(
          .notCuttable,
          "the frames of a .flac file are numbered through: parts are not joined in it",
          hint: "Leave out --join, or write .mka.")
      }
      guard request.parts.count == 1 || !request.isFragmented else {
        throw CutError(
          .notCuttable, "players of fragments do not take the sound of several parts",
          hint: "Leave out --join or --fragmented.")
      }
      guard !request.isFragmented || container.isISO else {
        throw CutError(
          .codecDoesNotFit, "\(container.endings) has no fragments",
          hint: "These have: .mp4, .mov.")
      }
      try source.adapt(to: container)
      var planners: [CutPlanner] = []
      for part in request.parts.indices {
        planners.append(try CutPlanner(source, request, container, part: part))
      }
      self.planners = planners
    }

    var plan: CutPlan {
      get throws(CutError) {
        var length = MediaDuration.zero
        for planner in planners {
          do throws(ExactTimeError) {
            length = try length.adding(planner.shownLength)
          } catch {
            throw CutError.beyondNumbers
          }
        }
        if planners.count == 1, let only = planners.first { return only.plan }
        guard let plan = CutPlan.joined(planners.map(\.plan), length: length) else {
          throw CutError(.emptyRange, "no part was asked for")
        }
        return plan
      }
    }

    /// The packets of all tracks of the output.
    func tracks(
      _ spool: PayloadSpool, _ limits: Limits, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(CutError) -> [OutputTrack] {
      var join = PartJoin(source, container)
      for planner in planners {
        let tracks = try CutAssembly(
          source: source, planner: planner, spool: spool, limits: limits,
          isCancelled: isCancelled
        ).tracks()
        if planners.count == 1 { return tracks }
        let length: MediaDuration
        do throws(ExactTimeError) {
          length = try planner.shownLength
        } catch {
          throw CutError.beyondNumbers
        }
        try join.append(tracks, lasting: length)
      }
      let sound = JoinedSound(
        source: source, planners: planners, spool: spool, limits: limits, isCancelled: isCancelled)
      return try (join.joined() + sound.tracks()).sorted { $0.source < $1.source }
    }

    /// Tags, and the chapters of each part.
    func labels() throws(CutError) -> PacketWriter.Labels {
      var labels = PacketWriter.Labels()
      labels.tags = source.facts.tags.filter { !["encoder", "timecode"].contains($0.key) }.map {
        ($0.key, $0.value)
      }
      var offset = MediaDuration.zero
      do throws(ExactTimeError) {
        for planner in planners {
          labels.chapters += try chapters(in: planner.range, at: offset)
          offset = try offset.adding(planner.shownLength)
        }
      } catch {
        throw CutError.beyondNumbers
      }
      return labels
    }

    private func chapters(
      in range: MediaTimeRange, at offset: MediaDuration
    ) throws(ExactTimeError) -> [Muxer.Chapter] {
      var chapters: [Muxer.Chapter] = []
      let lead = try source.zero.distance(from: .zero)
      let (zero, open) = (try range.start.advanced(by: lead), try range.end.advanced(by: lead))
      let length = MediaTime(seconds: range.length.seconds)
      for chapter in source.facts.chapters {
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

  extension CutPlanner {
    /// From the output's zero to where the next part would begin.
    var shownLength: MediaDuration {
      get throws(ExactTimeError) {
        let asked = try range.end.distance(from: start)
        return min(asked, try plan.written.end.distance(from: .zero))
      }
    }
  }
#endif
