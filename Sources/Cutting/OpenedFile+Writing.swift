import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension OpenedFile {
  /// Executes a plan into an open file; if this fails, what was written stays in it.
  func write(
    _ plan: CutPlan, to output: PendingFile, isProven: Bool,
    progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    try check(plan)
    expectMedia(of: plan.request)
    if let most = plan.request.mostBytes { output.refuse(beyond: most) }
    return try withoutActuallyEscaping(progress) { (progress) throws(MediaError) -> CutReport in
      let meter = WorkMeter(
        plan, source, isProven: isProven, isCancelled: isCancelled, report: progress)
      do throws(MediaError) {
        let report = try write(plan, to: output, isProven: isProven, meter)
        meter.finish()
        return report
      } catch {
        if let most = plan.request.mostBytes, output.hasPassedBound { throw .tooLarge(most) }
        throw error
      }
    }
  }

  private func write(
    _ plan: CutPlan, to output: PendingFile, isProven: Bool, _ meter: WorkMeter
  ) throws(MediaError) -> CutReport {
    let container = plan.container
    let cut = try assembled(plan, meter)
    let source = cut.source
    let (tracks, labels) = (cut.tracks, cut.labels)
    let prints: [[UInt64]]
    var removed: [LeftOut] = []
    var written: Int64 = 0
    let report = { (done: Int64) in
      meter.didPass(bytes: Int(done - written))
      written = done
      return !meter.isStopped()
    }
    if container.isISO {
      let writer = try isoWriter(of: cut, isStopped: meter.isStopped)
      removed = writer.leftOut
      prints = try writer.write(tracks, chapters: cut.isoChapters, to: output, progress: report)
    } else {
      let writer = PacketWriter(
        source: source, spool: cut.spool, container: container, isCancelled: meter.isStopped)
      do throws(MediaError) {
        prints = try writer.write(tracks, labels: labels, to: output, progress: report)
      } catch {
        throw proof(of: cut, [], meter).blamed(error)
      }
    }
    var examination: CutExamination?
    if isProven {
      let proof = proof(of: cut, prints, meter)
      let file = try InputFile(
        descriptor: output.descriptor, isOwned: false, isSeekable: true)
      do throws(MediaError) {
        examination = try proof.check(file)
      } catch {
        throw proof.blamed(error)
      }
    }
    var replaced: [CutDamage] = []
    for track in tracks { replaced += try track.replacedDamage(in: source) }
    var result = CutReport(
      plan: reported(plan, tracks), byteCount: output.byteCount, examination: examination,
      replaced: replaced)
    if plan.request.rejectsDamage, let refusal = result.refusal { throw refusal }
    result.leftOut = try leftOut(of: plan, tracks, removed, in: output)
    return result
  }

  private func leftOut(
    of plan: CutPlan, _ tracks: [OutputTrack], _ removed: [LeftOut], in output: PendingFile
  ) throws(MediaError) -> [LeftOut] {
    let written = try InputFile(descriptor: output.descriptor, isOwned: false, isSeekable: true)
    let left = LeftOutParts(
      source: source, parts: sourceParts(), tracks: tracks.map(\.source),
      container: plan.container, removed: removed
    ).found(SourceParts(written))
    return left + source.leftOut
  }

  /// The plan, extended by what is known only from the packets.
  private func reported(_ plan: CutPlan, _ tracks: [OutputTrack]) -> CutPlan {
    var reported = plan
    let filled = Set(tracks.filter { $0.packets.contains(where: \.isFilled) }.map(\.source))
    for place in reported.tracks.indices where filled.contains(reported.tracks[place].index) {
      // Already planned for codecs whose packets state their sample count.
      guard !reported.tracks[place].reasons.contains(.gapsFilled) else { continue }
      reported.tracks[place].reasons.append(.gapsFilled)
    }
    // What several sources become as one stream is planned by the packets of each.
    for track in tracks where track.made != nil && source.isJoined {
      guard
        let place = reported.tracks.firstIndex(where: {
          $0.index == track.source && $0.dropped == nil
        })
      else { continue }
      reported.tracks[place].packets = track.packets.count
      reported.tracks[place].encoded = track.packets.count
    }
    for track in tracks where track.losesCaptions {
      guard let place = reported.tracks.firstIndex(where: { $0.index == track.source }) else {
        continue
      }
      reported.tracks[place].reasons.append(.captionsNotWritten)
    }
    for track in tracks where track.keepsSets {
      guard let place = reported.tracks.firstIndex(where: { $0.index == track.source }) else {
        continue
      }
      reported.tracks[place].reasons.append(.setsInSamples)
    }
    return reported
  }

  /// The whole cut: from the first to the last instant of its parts in the source, and in the
  /// output.
  private static func whole(
    _ plan: CutPlan
  ) -> (source: MediaTimeRange, output: MediaTimeRange)? {
    // Several files have no common timeline: what concerns all of one is about the first.
    let parts = plan.parts.filter { $0.source == 0 }
      .compactMap { try? MediaTimeRange(from: $0.start, length: $0.length) }
    guard let first = parts.first else { return nil }
    return (parts.dropFirst().reduce(first) { $0.union($1) }, plan.written)
  }

  private func proof(
    of cut: AssembledCut, _ prints: [[UInt64]], _ meter: WorkMeter
  ) -> CutProof {
    let (plan, request) = (cut.plan, cut.plan.request)
    return CutProof(
      tracks: cut.tracks, fingerprints: prints, source: cut.source, container: plan.container,
      promisesPictures: request.mode != .copy,
      examines: request.verification != .written, isFull: request.verification == .full,
      limits: limits, isCancelled: meter.isStopped, covers: cut.labels.covers,
      whole: Self.whole(plan), meter: meter, laterBands: plan.laterBands)
  }

  /// The packets of a plan, assembled unless it is the last one assembled.
  func assembled(_ plan: CutPlan, _ meter: WorkMeter) throws(MediaError) -> AssembledCut {
    if let kept, kept.plan == plan { return kept }
    return try AssembledCut(plan, of: source, limits: limits, meter)
  }

  /// The writer for a plan's MP4 or QuickTime output.
  func isoWriter(
    of cut: AssembledCut, isStopped: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> ISOFileWriter {
    let (container, source) = (cut.plan.container, cut.source)
    let native = source.native
    var removed: [LeftOut] = []
    let boxes =
      if let native {
        try described(cut, native, &removed)
      } else {
        try MadeISOBoxes(
          source: source, container: container, labels: cut.labels, spool: cut.spool
        ).boxes(for: cut.tracks)
      }
    return ISOFileWriter(
      source: source, boxes: boxes,
      hasChapterList: native == nil || cut.plan.request.chapters != nil
        || cut.plan.request.parts.contains { $0.title != nil },
      timecode: cut.labels.timecode,
      leftOut: removed, spool: cut.spool, isFragmented: cut.plan.request.isFragmented,
      isCancelled: isStopped)
  }

  /// The source's header converted to the output's container family, with new sample entries for
  /// audio that is re-encoded or that moves between QuickTime and MP4.
  private func described(
    _ cut: AssembledCut, _ native: ISOCutSource, _ removed: inout [LeftOut]
  ) throws(MediaError) -> ISOSourceBoxes {
    let (tracks, container) = (cut.tracks, cut.plan.container)
    var boxes = try native.readBoxes()
    let capture = CaptureTime(cut.source, cut.plan)
    var whole = WholeFileBoxes(
      source: native, plan: cut.plan, lateness: capture.isMoved ? capture.lateness : nil)
    whole.revise(&boxes.movie)
    removed = whole.leftOut
    capture.revise(&boxes)
    boxes.tracks = tracks.map { boxes.tracks[$0.source] }
    let wasQuickTime = boxes.movie.isQuickTime
    boxes.become(container.brands)
    for (place, track) in tracks.enumerated() {
      if track.isMedia {
        // IN may have required finer ticks, and re-encoded audio is counted in samples.
        let ticks = track.grid.secondsPerTick
        guard ticks.numerator == 1 else { throw MediaError.beyondNumbers }
        boxes.tracks[place].timescale = UInt32(clamping: ticks.denominator)
      }
      if let made = track.made {
        // Their roll distances refer to packets that are no longer there.
        boxes.tracks[place].groups = []
        boxes.tracks[place].timescale = UInt32(clamping: made.sampleRate)
      }
      // Sets of several files come with the samples (ISO/IEC 14496-15, 5.4.2.1, 8.4.1).
      if track.keepsSets {
        boxes.tracks[place].sampleEntries = boxes.tracks[place].sampleEntries.map { entry in
          switch entry.format {
          case "avc1": entry.named("avc3")
          case "hvc1": entry.named("hev1")
          default: entry
          }
        }
      }
      let changes = track.audio != nil && boxes.movie.isQuickTime != wasQuickTime
      guard track.made != nil || changes else { continue }
      let made = try MadeISOBoxes(
        source: cut.source, container: container, labels: cut.labels, spool: cut.spool
      ).boxes(for: [track]).tracks[0]
      boxes.tracks[place].sampleEntries = made.sampleEntries
      boxes.tracks[place].descriptionVersion = made.descriptionVersion
    }
    return boxes
  }
}
