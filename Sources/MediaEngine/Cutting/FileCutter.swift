#if FFmpeg
  import ISOMedia
  import Libav
  public import MediaFacts
  public import Trimming

  /// Cuts films: opens, plans, writes, proves and publishes.
  ///
  /// Blocking: call it off the cooperative pool.
  public struct FileCutter: Sendable {
    public var limits: Limits
    /// Asked often, from inside FFmpeg's loops too; true ends the cut with `cancelled`.
    public var isCancelled: @Sendable () -> Bool

    public init(
      limits: Limits = .standard,
      isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
      self.limits = limits
      self.isCancelled = isCancelled
    }

    /// Opens a film for as many cuts as are wanted.
    public func open(_ input: MediaInput) throws(CutError) -> CutFilm {
      let file: InputFile
      do {
        switch input {
        case .file(let path): file = try InputFile(path: path)
        case .standardInput:
          file = try StandardInput.open(limits: limits, timeout: nil, isCancelled: isCancelled)
        }
      } catch {
        throw CutError(error)
      }
      guard file.byteCount != 0 else { throw CutError(ProbeError(.notMedia, "the file is empty")) }
      if let native = try ISOCutSource(file, limits: limits, isCancelled: isCancelled) {
        return CutFilm(native, limits, isCancelled)
      }
      if let playlist = PlaylistKind(file.head) { throw CutError(ProbeError(playlist)) }
      let cancelled = isCancelled
      return CutFilm(
        try PacketCutSource(
          file, limits: limits, isCancelled: isCancelled, progress: { _ in !cancelled() }),
        limits, isCancelled)
    }
  }

  /// A film that is open for cutting.
  ///
  /// Not for several threads at once.
  public final class CutFilm {
    let source: any CutSource
    let limits: Limits
    let isCancelled: @Sendable () -> Bool

    init(_ source: any CutSource, _ limits: Limits, _ isCancelled: @escaping @Sendable () -> Bool) {
      self.source = source
      self.limits = limits
      self.isCancelled = isCancelled
    }

    /// What is known of it.
    public var facts: MediaFacts { source.facts }

    /// What a cut would do.
    public func plan(
      _ request: CutRequest, for container: OutputContainer
    ) throws(CutError) -> CutPlan {
      try parts(request, for: container).plan
    }

    private func parts(
      _ request: CutRequest, for container: OutputContainer
    ) throws(CutError) -> PlannedParts {
      try PlannedParts(source, request, container)
    }

    /// Cuts into an open file, which is left as it is when this fails.
    func write(
      _ request: CutRequest, as container: OutputContainer, to output: PendingFile,
      progress: (CutProgress) -> Bool
    ) throws(CutError) -> CutReport {
      let parts = try parts(request, for: container)
      let spool = try PayloadSpool()
      let tracks = try parts.tracks(spool, limits, isCancelled)
      let total = tracks.map(\.packets).joined().reduce(0) { $0 + Int64($1.byteCount) }
      let labels = try parts.labels()
      let prints: [[UInt64]]
      let report = { (done: Int64) in progress(CutProgress(bytesDone: done, bytesTotal: total)) }
      if container.isISO {
        let native = source as? ISOCutSource
        let boxes =
          if let native {
            try described(tracks, native.readBoxes(for: tracks), container, labels, spool)
          } else {
            try MadeISOBoxes(
              source: source, container: container, labels: labels, spool: spool
            ).boxes(for: tracks)
          }
        let writer = ISOFilmWriter(
          source: source, boxes: boxes, hasChapterList: native == nil, spool: spool,
          isFragmented: request.isFragmented, isCancelled: isCancelled)
        let chapters = labels.chapters.map {
          ISOOutputChapter(start: $0.start, title: $0.title ?? "")
        }
        prints = try writer.write(tracks, chapters: chapters, to: output, progress: report)
      } else {
        let writer = PacketWriter(
          source: source, spool: spool, container: container, isCancelled: isCancelled)
        prints = try writer.write(tracks, labels: labels, to: output, progress: report)
      }
      if request.verification != .none {
        let proof = CutProof(
          tracks: tracks, fingerprints: prints, source: source, container: container,
          isFull: request.verification == .full, limits: limits, isCancelled: isCancelled)
        let file: InputFile
        do {
          file = try InputFile(
            descriptor: output.descriptor, isOwned: false, isSeekable: true)
        } catch {
          throw CutError(error)
        }
        try proof.check(file)
      }
      return CutReport(plan: try parts.plan, byteCount: output.byteCount)
    }

    /// The source's header as that of the output's kind, with other descriptions for sound that was
    /// coded anew or comes out of QuickTime into MP4, or the other way.
    private func described(
      _ tracks: [OutputTrack], _ boxes: ISOSourceBoxes, _ container: OutputContainer,
      _ labels: PacketWriter.Labels, _ spool: PayloadSpool
    ) throws(CutError) -> ISOSourceBoxes {
      var boxes = boxes
      let wasQuickTime = boxes.movie.isQuickTime
      boxes.become(container.brands)
      for (place, track) in tracks.enumerated() {
        if let made = track.made {
          // They tell how far a decoder must go back in what is no longer there.
          boxes.tracks[place].groups = []
          boxes.tracks[place].timescale = UInt32(clamping: made.sampleRate)
        }
        let changes = track.audio != nil && boxes.movie.isQuickTime != wasQuickTime
        guard track.made != nil || changes else { continue }
        let made = try MadeISOBoxes(
          source: source, container: container, labels: labels, spool: spool
        ).boxes(for: [track]).tracks[0]
        boxes.tracks[place].sampleEntries = made.sampleEntries
        boxes.tracks[place].descriptionVersion = made.descriptionVersion
      }
      return boxes
    }

    /// Whether a file could be made there, before any work is done.
    ///
    /// - Throws: ``CutError`` where one of that name exists already, or is this film, or its folder
    ///   is not there.
    public func checkPlace(_ path: [UInt8], replaces: Bool) throws(CutError) {
      do {
        try OutputPlace.check(path, replacing: replaces, sparing: [source.file.fileIdentity])
      } catch {
        throw CutError(error)
      }
    }

    /// Cuts into a new file, which appears complete and proven right, or not at all.
    ///
    /// - Parameters:
    ///   - replaces: whether a file of that name is replaced.
    ///   - keepsFailed: whether a file that fails its proof is kept, as `NAME.failed`.
    /// - Throws: ``CutError``; the destination is as it was then.
    public func cut(
      _ request: CutRequest, to path: [UInt8], as container: OutputContainer,
      replaces: Bool = false, keepsFailed: Bool = false,
      progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport {
      try cut(
        request, to: path, as: container, replaces: replaces, keepsFailed: keepsFailed,
        faults: { _ in nil }, progress: progress)
    }

    /// The same, with a way to let the system fail.
    package func cut(
      _ request: CutRequest, to path: [UInt8], as container: OutputContainer, replaces: Bool,
      keepsFailed: Bool, faults: @escaping PendingFile.FaultPort,
      progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutReport {
      let pending: PendingFile
      do {
        pending = try PendingFile(
          at: path, replacing: replaces, sparing: [source.file.fileIdentity], faults: faults)
      } catch {
        throw CutError(error)
      }
      let report: CutReport
      do throws(CutError) {
        report = try write(request, as: container, to: pending, progress: progress)
        try source.file.checkUnchanged()
      } catch {
        if keepsFailed, error.code == .verificationFailed {
          let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? path
          try? pending.keep(as: name + Array(".failed".utf8))
        }
        throw error
      }
      do {
        try pending.publish()
      } catch {
        throw CutError(error)
      }
      return report
    }
  }
#endif
