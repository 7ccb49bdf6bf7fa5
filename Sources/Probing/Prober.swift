import ISOMedia
import Libav
public import MediaFacts
public import MediaFiles

/// Probes one file at a time.
///
/// Opens the input itself (regular files and standard input only), reads nothing else, and writes
/// nothing. It blocks: do not call it on the cooperative thread pool.
public struct Prober: Sendable {
  /// What one input may cost: memory, time and counts.
  public var limits: Limits
  /// Called often, also from inside FFmpeg's loops; true ends the probe with `cancelled`.
  public var isCancelled: @Sendable () -> Bool

  /// Creates a prober that by default stops when the current task is cancelled.
  public init(
    limits: Limits = .standard, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.limits = limits
    self.isCancelled = isCancelled
  }

  /// Finds out what the options request, and returns it as plain values.
  ///
  /// - Parameter progress: called now and then during a long scan, on the calling thread; returns
  ///   false to cancel.
  /// - Throws: ``MediaError``. Damage that leaves part of the file readable is not an error; it is
  ///   listed in ``MediaFacts/damage``.
  public func probe(
    _ input: MediaInput, options: ProbeOptions = ProbeOptions(),
    progress: (ProbeProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> MediaFacts {
    try facts(of: open(input, options, progress), options: options, progress: progress)
  }

  /// The same for an open file.
  package func facts(
    of file: InputFile, options: ProbeOptions = ProbeOptions(),
    progress: (ProbeProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> MediaFacts {
    let time = limits.time(forBytes: file.byteCount, isRemote: file.isRemote)
    let deadline = ContinuousClock.now + (options.timeout ?? time)
    guard file.byteCount != 0 else { throw MediaError(.notMedia, "the file is empty") }
    if let native = try native(file, options) {
      var facts = try Self.header(native, file)
      if options.depth != .header, HiddenReplication.isPossible(in: facts) {
        let header = facts
        facts = try watched(deadline, progress) { prober, _ throws(MediaError) in
          try prober.revealed(header, file, deadline)
        }
      }
      switch options.depth {
      case .auto, .header: break
      case .packets, .frames:
        file.announceAll()
        let (header, timelines) = (facts, native.timelines)
        facts = try watched(deadline, progress) { prober, work throws(MediaError) in
          try prober.deepened(header, timelines, file, options, deadline, work)
        }
      }
      return facts
    }
    if let playlist = PlaylistKind(file.head) { throw MediaError(playlist) }
    var depth = options
    if options.depth == .auto, file.isReadSparingly {
      if options.allowsIndex, let facts = try ends(of: file, options, deadline, progress) {
        return facts
      }
      if !options.needsLength, !options.numbersKeyframes { depth.depth = .header }
    }
    let scanned = depth
    // First, as FFmpeg then finds the end of the file in the cache.
    let estimate = scanned.depth == options.depth ? nil : TransportEstimate.length(of: file)
    if scanned.depth != .header { file.announceAll() }
    var facts = try watched(deadline, progress) { prober, work throws(MediaError) in
      try prober.scan(file, scanned, deadline) { work.report($0) }
    }
    if scanned.depth != options.depth {
      if facts.durations.declared == nil, let estimate {
        facts.durations.declared = DurationFact(length: estimate, source: .estimate)
      }
      facts.notes.append(
        Note(
          .onlyHeadersRead,
          "Its exact length is in its packets, and only its headers were fetched: what they state is an "
            + "estimate. A scan of all packets fetches all of it."))
    }
    return facts
  }

  /// What both ends of a large file at an address show, where they show all that is asked for.
  private func ends(
    of file: InputFile, _ options: ProbeOptions, _ deadline: ContinuousClock.Instant,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MediaFacts? {
    guard file.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    return try watched(deadline, progress) { prober, work throws(MediaError) in
      try prober.endFacts(of: file, options, deadline) { work.report($0) }
    }
  }

  /// The facts of a file that can be probed without FFmpeg; `nil` where FFmpeg is needed.
  ///
  /// - Throws: ``MediaError``, for files that can be rejected without it.
  package func factsWithoutFFmpeg(
    of file: InputFile, options: ProbeOptions
  ) throws(MediaError) -> MediaFacts? {
    guard file.byteCount != 0 else { throw MediaError(.notMedia, "the file is empty") }
    guard options.depth == .auto || options.depth == .header else { return nil }
    if let native = try native(file, options) {
      let facts = try Self.header(native, file)
      if options.depth == .auto, HiddenReplication.isPossible(in: facts) { return nil }
      return facts
    }
    if let playlist = PlaylistKind(file.head) { throw MediaError(playlist) }
    return nil
  }

  private static func header(
    _ native: ISOProbe<FileBytes>, _ file: InputFile
  ) throws(MediaError) -> MediaFacts {
    let facts = native.facts(depth: .header, isSeekable: file.isSeekable)
    if facts.tracks.isEmpty, facts.damage.isEmpty {
      throw MediaError(.damaged, "its header describes no track")
    }
    return facts
  }

  /// Opens an input, storing what standard input sends.
  ///
  /// - Parameter remembers: whether to record what is needed to check later that the file is
  ///   unchanged.
  package func open(
    _ input: MediaInput, _ options: ProbeOptions, remembers: Bool = false,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> InputFile {
    switch input {
    case .file(let path): return try InputFile(path: path, remembers: remembers)
    case .standardInput:
      return try StandardInput.open(
        limits: limits, timeout: options.timeout,
        isCancelled: {
          isCancelled() || !progress(ProbeProgress(bytesDone: 0, bytesTotal: nil))
        })
    }
  }

  /// `nil` when the content is not ISO base media.
  private func native(
    _ file: InputFile, _ options: ProbeOptions
  ) throws(MediaError) -> ISOProbe<FileBytes>? {
    let bytes = FileBytes(file)
    do {
      let readsIndex =
        file.isReadSparingly && options.allowsIndex && [.auto, .header].contains(options.depth)
      let movie = try ISOMovie(
        reading: bytes, limits: limits.iso,
        fragments: readsIndex ? .indexed(keyframes: options.wantsKeyframes) : .all)
      return try ISOProbe(
        bytes, movie, wantsKeyframes: options.wantsKeyframes, wantsFrames: options.wantsFrames)
    } catch let error where error.code == .notISO {
      return nil
    } catch {
      throw MediaError(error)
    }
  }
}
