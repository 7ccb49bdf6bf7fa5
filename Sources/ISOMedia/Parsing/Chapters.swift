import ExactTime

extension ISOChapter {
  private static let neroTicks: Int64 = 10_000_000

  /// The chapters of Nero's `chpl` box: starts in units of 100 ns and short titles.
  static func nero(_ box: Box, limit: Int) -> [ISOChapter] {
    var fields = box.fields
    if fields.fullBoxHeader().version > 0 { fields.skip(4) }
    let count = Int(fields.u8())
    var chapters: [ISOChapter] = []
    for _ in 0..<min(count, limit) {
      let ticks = fields.u64()
      let title = Text.nonEmpty(fields.bytes(Int(fields.u8())))
      guard !fields.isShort, let ticks = Int64(exactly: ticks) else { break }
      guard let seconds = try? Rational(checked: Int128(ticks), over: Int128(neroTicks)) else {
        break
      }
      chapters.append(ISOChapter(title: title, start: MediaTime(seconds: seconds), end: nil))
    }
    return chapters
  }
}

extension ISOMovie {
  /// Reads what is stored in samples: chapter titles and start timecodes.
  mutating func readEmbeddedSamples(
    _ source: FileSource<some RandomAccessBytes>, _ limits: ISOLimits, _ log: inout ProblemLog
  ) throws(ISOError) {
    for index in tracks.indices where tracks[index].timecode != nil {
      let samples = try timecodes(of: tracks[index], source)
      tracks[index].timecode?.startFrame = samples.first?.frame
      tracks[index].timecode?.later = Array(samples.dropFirst())
    }
    guard let track = tracks.first(where: \.isChapterTrack), track.handler == "text" else { return }
    // Titles in a chapter track are complete; those in the older list are cut at 255 bytes.
    let listed = try chapters(of: track, source, limits)
    if !listed.isEmpty { chapters = listed }
  }

  /// The timecode samples, up to the first that is not in the file: a recorder that was stopped starts a new
  /// one (QuickTime File Format, "Timecode Media").
  private func timecodes(
    of track: ISOTrack, _ source: FileSource<some RandomAccessBytes>
  ) throws(ISOError) -> [ISOTimecode.Sample] {
    guard (1...10_000).contains(track.sampleCount), let table = try? track.samples() else {
      return []
    }
    var samples: [ISOTimecode.Sample] = []
    for index in 0..<table.count {
      guard let offset = table.offset(index), offset <= byteCount - 4 else { break }
      let view = ByteView(try source.read(at: offset, count: 4), fileOffset: offset)
      guard view.count == 4 else { break }
      samples.append(.init(tick: table.sample(index).decoded, frame: Int64(view.i32(0))))
    }
    return samples
  }

  /// The samples of a text track: a length and the title (QuickTime File Format, Text Media).
  private func chapters(
    of track: ISOTrack, _ source: FileSource<some RandomAccessBytes>, _ limits: ISOLimits
  ) throws(ISOError) -> [ISOChapter] {
    guard let timescale = track.timescale,
      let table = try? track.samples(limit: Int64(limits.chapters))
    else { return [] }
    let grid = TickGrid(ticksPerSecond: timescale)
    let shift = track.edits.first { !$0.isEmpty }?.mediaTime ?? 0
    let delay = startDelay(of: track)
    var chapters: [ISOChapter] = []
    for index in 0..<table.count {
      guard let offset = table.offset(index), offset < byteCount else { continue }
      let size = min(Int(table.sizes[index]), limits.tagBytes)
      let view = ByteView(try source.read(at: offset, count: size), fileOffset: offset)
      let (tick, early) = table.presentationTime(index).subtractingReportingOverflow(shift)
      guard !early, let start = try? grid.time(atTick: tick),
        let length = try? grid.duration(ofTicks: Int64(table.durations[index])),
        let shown = try? start.advanced(by: delay)
      else { continue }
      let text = Text.marked(view.slice(from: 2, count: Int(view.u16(0))))
      chapters.append(
        ISOChapter(
          title: text.isEmpty ? nil : text, start: shown, end: try? shown.advanced(by: length)))
    }
    return chapters
  }

  /// The total duration of the empty edits at a track's start.
  private func startDelay(of track: ISOTrack) -> MediaDuration {
    guard let timescale else { return .zero }
    let grid = TickGrid(ticksPerSecond: timescale)
    var delay = MediaDuration.zero
    for edit in track.edits.prefix(while: \.isEmpty) {
      guard let ticks = Int64(exactly: edit.segmentDuration),
        let length = try? grid.duration(ofTicks: ticks), let sum = try? delay.adding(length)
      else { return delay }
      delay = sum
    }
    return delay
  }
}
