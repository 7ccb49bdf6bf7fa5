#if FFmpeg
  import ExactTime
  import ISOMedia
  import MediaFacts
  package import MediaFiles
  import Trimming

  extension CutFilm {
    /// Lays out the result of an order without writing it: its edges are encoded, and kept for the cut
    /// of the same plan.
    ///
    /// - Parameter made: takes what does not stand in the source; nothing of it is published.
    /// - Returns: `nil` where the bytes of the source are not those of the result: another container
    ///   than MP4 and QuickTime on either side, or fragments.
    /// - Throws: ``CutError``, as the cut would.
    package func layout(
      _ order: CutOrder, made: PendingFile, progress: (CutProgress) -> Bool = { _ in true }
    ) throws(CutError) -> CutLayout? {
      guard let native = source as? ISOCutSource else { return nil }
      let plan = try plan(order)
      guard plan.container.isISO, !plan.request.isFragmented else { return nil }
      try check(plan)
      return try withoutActuallyEscaping(progress) { (progress) throws(CutError) -> CutLayout in
        let meter = WorkMeter(
          plan, source, isProven: false, isCancelled: isCancelled, report: progress)
        let cut = try assembled(plan, meter)
        kept = cut
        let layout = try layout(cut, native, made, meter)
        try source.file.checkUnchanged()
        meter.finish()
        return layout
      }
    }

    private func layout(
      _ cut: AssembledCut, _ native: ISOCutSource, _ made: PendingFile, _ meter: WorkMeter
    ) throws(CutError) -> CutLayout {
      let writer = try isoWriter(of: cut, isStopped: meter.isStopped)
      let (film, extra) = try CutError.ofWriting {
        let (film, extra) = try writer.film(cut.tracks, chapters: cut.isoChapters)
        return (try ISOFilmLayout(film), extra)
      }
      var layout = CutLayout(length: cut.plan.length)
      var output = MadeBytes(made)
      try output.append(film.headerBytes, to: &layout)
      var samples = cut.tracks.map { SamplePlaces($0, of: native) }
      for chunk in film.chunks {
        if meter.isStopped() { throw CutError.cancelled }
        guard chunk.track < cut.tracks.count else {
          for sample in chunk.samples {
            try output.append(extra?.payloads[sample] ?? [], to: &layout)
          }
          continue
        }
        let track = cut.tracks[chunk.track]
        try samples[chunk.track].forEach(in: chunk.samples) { (packet, part) throws(CutError) in
          if case .source(let place) = packet.payload,
            let offset = native.offset(ofTrack: track.source, place)
          {
            layout.append(
              isMade: false, offset: offset + Int64(part.lowerBound), count: Int64(part.count))
          } else {
            let bytes = try packet.bytes(of: native, track: track.source, cut.spool)
            try output.append(Array(bytes[part]), to: &layout)
          }
        }
      }
      try output.finish()
      try time(&layout, cut)
      return layout
    }

    private func time(_ layout: inout CutLayout, _ cut: AssembledCut) throws(CutError) {
      guard let track = cut.tracks.first(where: { $0.video != nil }) else { return }
      let times = track.packets.map(\.pts)
      let first = track.firstShown ?? times.min() ?? 0
      do throws(ExactTimeError) {
        for tick in times.sorted() where tick >= first {
          let time = try track.shown.start.advanced(by: track.grid.duration(ofTicks: tick &- first))
          if time < track.shown.end { layout.frames.append(time) }
        }
        let planned = cut.plan.tracks.first { $0.kind == .video && $0.source != nil }
        guard let start = planned?.source?.start, let begin = layout.frames.first else { return }
        for seam in planned?.seams ?? [] {
          layout.seams.append(try begin.advanced(by: seam.distance(from: start)))
        }
      } catch {
        throw CutError.beyondNumbers
      }
    }
  }

  /// Writes what is made one behind the other.
  private struct MadeBytes {
    private var writer: SequentialWriter
    private var end: Int64 = 0

    init(_ output: PendingFile) { writer = SequentialWriter(output) }

    mutating func append(_ bytes: [UInt8], to layout: inout CutLayout) throws(CutError) {
      try writer.append(bytes)
      layout.append(isMade: true, offset: end, count: Int64(bytes.count))
      end += Int64(bytes.count)
    }

    mutating func finish() throws(CutError) { try writer.finish() }
  }
#endif
