public import ExactTime
import Libav
public import MediaFacts
public import MediaFiles
public import Probing
public import Trimming

/// Cuts files: opens, plans, writes, verifies and publishes.
///
/// Blocks: do not call it on the cooperative thread pool.
public struct FileCutter: Sendable {
  /// What one input may cost: memory, time and counts.
  public var limits: Limits
  /// Called often, also from inside FFmpeg's loops; true ends the cut with `cancelled`.
  public var isCancelled: @Sendable () -> Bool

  /// Creates a cutter that by default stops when the current task is cancelled.
  public init(
    limits: Limits = .standard,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.limits = limits
    self.isCancelled = isCancelled
  }

  /// Opens a file for any number of cuts; if it is not MP4 or QuickTime, all of its packets are
  /// read.
  ///
  /// - Throws: ``MediaError``.
  public func open(_ input: MediaInput) throws(MediaError) -> OpenedFile {
    switch input {
    case .file(let path): return try open(InputFile(path: path))
    case .standardInput:
      return try open(
        StandardInput.open(limits: limits, timeout: nil, isCancelled: isCancelled))
    }
  }

  /// Opens several files, whose parts go into one output.
  ///
  /// - Throws: ``MediaError``; its ``MediaError/source`` says which of the files it is about.
  package func open(_ inputs: [MediaInput]) throws(MediaError) -> OpenedFile {
    let names = inputs.map { String(decoding: $0.nameBytes, as: UTF8.self) }
    var pieces: [any CutSource] = []
    for (number, input) in inputs.enumerated() {
      do throws(MediaError) {
        let opened = try open(input)
        try opened.complete()
        guard !opened.hasPieces else {
          throw MediaError(
            .notCuttable,
            "it shows several pieces (a chain of streams, or edits), and cannot be joined with other files",
            hint: "Cut each piece into a file first.")
        }
        pieces.append(opened.source)
      } catch {
        var named = error
        named.source = number
        throw named
      }
    }
    return OpenedFile(try JoinedSource(pieces, names: names), limits, isCancelled)
  }

  /// Opens a file for cutting that is already open for reading.
  package func open(_ file: InputFile) throws(MediaError) -> OpenedFile {
    guard file.byteCount != 0 else { throw MediaError(.notMedia, "the file is empty") }
    let opening = PartialOpening(cutter: self, file: file)
    if let found = try opening.movie(showing: [], of: nil) {
      return opened(found, by: opening)
    }
    if let movie = try movie(file) { return movie }
    if let playlist = PlaylistKind(file.head) { throw MediaError(playlist) }
    if let chain = try PiecedSource(chain: file, limits: limits, isCancelled: isCancelled) {
      return OpenedFile(chain.first, limits, isCancelled, list: chain)
    }
    if let found = try opening.matroska(showing: []) { return opened(found, by: opening) }
    return try scanned(file)
  }

  private func opened(_ source: any CutSource, by opening: PartialOpening) -> OpenedFile {
    let opened = OpenedFile(source, limits, isCancelled)
    opened.opening = opening
    return opened
  }

  /// An MP4 or QuickTime file; `nil` for others.
  private func movie(_ file: InputFile) throws(MediaError) -> OpenedFile? {
    guard let native = try ISOCutSource(file, limits: limits, isCancelled: isCancelled) else {
      return nil
    }
    let edits = try PiecedSource(edits: native)
    return OpenedFile(edits?.first ?? native, limits, isCancelled, list: edits)
  }

  /// A file of which all packets are read.
  private func scanned(_ file: InputFile) throws(MediaError) -> OpenedFile {
    let cancelled = isCancelled
    let source = try PacketCutSource(
      file, limits: limits, isCancelled: isCancelled, progress: { _ in !cancelled() })
    return OpenedFile(source, limits, isCancelled, list: try PiecedSource(edition: source))
  }

  /// A file of which all is read.
  fileprivate func complete(_ file: InputFile) throws(MediaError) -> OpenedFile {
    if let movie = try movie(file) { return movie }
    return try scanned(file)
  }
}

/// A source that is open for cutting: plans are made for it, and executed.
///
/// Not thread-safe.
public final class OpenedFile {
  /// As it was opened.
  private var whole: any CutSource
  /// For a file of several pieces, and for files that are matched with each other, that of the last plan.
  private(set) var source: any CutSource
  private var list: PiecedSource?
  /// How it was opened, where only parts of it were read; `nil` where all of it was.
  fileprivate(set) var opening: PartialOpening?
  /// The ranges of which the media was read, on the file's own clock.
  var focused: [MediaTimeRange]?
  /// What plans that were made with parts of the file state as their source.
  var plannedInParts: Set<[SourceIdentity]> = []
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  /// Facts that were gathered for the plans so far.
  private var gatherers: [FactsGatherer]?
  /// The cut that was assembled last, kept for writing.
  var kept: AssembledCut?
  /// The source file; the first of several.
  package var file: InputFile { source.file }
  /// Whether it shows several pieces, each with headers or an edit of its own.
  var hasPieces: Bool { list != nil }
  /// What the source holds besides its media, once it was examined.
  private var walked: SourceParts?
  /// Learns in another process what takes FFmpeg, where that is kept out of this one; `nil` where it is not.
  package var learnsElsewhere: (([MissingFact]) throws(MediaError) -> [LearnedFact])?

  init(
    _ source: any CutSource, _ limits: Limits, _ isCancelled: @escaping @Sendable () -> Bool,
    list: PiecedSource? = nil
  ) {
    (whole, self.source) = (source, source)
    self.list = list
    self.limits = limits
    self.isCancelled = isCancelled
  }

  /// The facts of the source, as the probe reports them.
  public var facts: MediaFacts { list?.facts ?? source.facts }

  /// Those of every source that is joined.
  package var allFacts: [MediaFacts] { source.pieces.map(\.facts) }

  /// What distinguishes the file from others, as plans have it; of several, that of the first.
  package func identity() throws(MediaError) -> SourceIdentity {
    try complete()
    return try SourceIdentity(list?.first ?? source.pieces[0])
  }

  /// When each frame is shown, counted from the first presented sample; `nil` without video, and
  /// for files of several pieces.
  public var frameStarts: FrameStarts? {
    guard (try? complete()) != nil, list == nil, source.pieces.count == 1,
      let track = source.pieces[0].tracks.first(where: {
        $0.facts.kind == .video && $0.facts.isPresented
      })
    else { return nil }
    let presented = track.facts.durations.presented?.start
      .flatMap { try? $0.distance(from: source.zero) }.map { MediaTime(seconds: $0.seconds) }
    guard let shown = track.coded.shownTicks(from: presented),
      let end = try? track.coded.time(atTick: shown.end)
    else { return nil }
    let starts = shown.starts.compactMap { try? track.coded.time(atTick: $0) }
    return starts.count == shown.starts.count ? FrameStarts(starts: starts, end: end) : nil
  }

  /// What a cut would do: the same facts and the same request always give the same plan.
  ///
  /// - Throws: ``MediaError`` where the file cannot be cut that way.
  public func plan(
    _ request: CutRequest, for container: OutputContainer
  ) throws(MediaError) -> CutPlan {
    try plan(request, for: container, isExecuted: false)
  }

  /// Reads all of a file of which only parts were read.
  func complete() throws(MediaError) {
    guard let opening else { return }
    let complete = try opening.cutter.complete(opening.file)
    replace(complete.whole, list: complete.list)
    (self.opening, focused) = (nil, nil)
  }

  /// Takes another source for the same file.
  func replace(_ source: any CutSource, list: PiecedSource?) {
    whole = source
    self.list = list
    kept = nil
    choose(source)
  }

  /// A plan with what was read of the source.
  func planOfOpened(
    _ request: CutRequest, for container: OutputContainer
  ) throws(MediaError) -> CutPlan {
    let asked = request
    let request = try enter(asked, container)
    guard let joined = source.joined else {
      return examined(try planned(request, for: container) { $0 })
    }
    let fit: SourceFit
    do throws(MediaError) {
      fit = try SourceFit(joined, container)
    } catch {
      throw list?.refusal(of: asked, because: error) ?? error
    }
    return examined(
      try fit.joined(request) { (request, prepared) throws(MediaError) in
        try planned(request, for: container, prepared)
      })
  }

  /// Plans with the facts of all sources, and gathers those that are missing.
  private func planned(
    _ request: CutRequest, for container: OutputContainer,
    _ prepared: ([SourceFacts]) -> [SourceFacts]
  ) throws(MediaError) -> CutPlan {
    var gatherers = try opened()
    for number in gatherers.indices { try gatherers[number].count(for: container.rules) }
    defer { self.gatherers = gatherers }
    while true {
      if isCancelled() { throw MediaError.cancelled }
      do throws(PlanningError) {
        let facts = prepared(gatherers.map(\.facts))
        return try CutPlanner(facts, container.rules, request).plan()
      } catch {
        switch error {
        case .refused(let refusal):
          // Perhaps FFmpeg's libraries, not one of their codecs, are what is missing.
          if refusal.code == .codecMissing { try learn([.codecs(source: 0)], &gatherers) }
          throw MediaError(refusal)
        case .missing(let missing): try learn(missing, &gatherers)
        }
      }
    }
  }

  private func learn(
    _ missing: Set<MissingFact>, _ gatherers: inout [FactsGatherer]
  ) throws(MediaError) {
    let isElsewhere = learnsElsewhere != nil
    for fact in missing where !(isElsewhere && fact.requiresFFmpeg) {
      do throws(MediaError) {
        _ = try gatherers[fact.source].learn(fact)
      } catch {
        if case .codecs = fact { throw error }
        throw error.about(fact.source, of: gatherers.count)
      }
    }
    let left = missing.filter { !gatherers[$0.source].facts.knows($0) }
    guard let learnsElsewhere, !left.isEmpty else { return }
    for fact in try learnsElsewhere(Array(left)) {
      guard left.contains(where: fact.answers) else {
        throw MediaError(.internalError, "something was learned about it that was not asked")
      }
      try gatherers[fact.source].take(fact)
    }
    guard left.allSatisfy({ gatherers[$0.source].facts.knows($0) }) else {
      throw MediaError(.internalError, "not all that the plan needs was learned about it")
    }
  }

  /// What a plan that is made in another process needs to know of this file.
  ///
  /// - Throws: ``MediaError``, also where a fact is not about this file.
  package func learn(_ missing: [MissingFact]) throws(MediaError) -> [LearnedFact] {
    try complete()
    // An earlier request may have matched it with another format.
    if list == nil, !whole.isJoined, source !== whole { choose(whole) }
    var gatherers = try opened()
    defer { self.gatherers = gatherers }
    return try missing.map { (fact) throws(MediaError) in
      guard gatherers.indices.contains(fact.source), gatherers[fact.source].facts.has(fact) else {
        throw MediaError(.internalError, "a fact was requested that this file does not have")
      }
      return try gatherers[fact.source].learn(fact)
    }
  }

  /// Whether the source is one file as it was opened, whatever is requested of it: facts about it then mean the
  /// same in every process that opens it.
  package func isPlain(for request: CutRequest) -> Bool {
    list == nil && !source.isJoined && request.joinMode != .fit
  }

  /// For a file of several pieces, makes those that a request needs the source; for several files,
  /// matches them with the one that leads.
  ///
  /// - Returns: the request in terms of that source.
  private func enter(
    _ request: CutRequest, _ container: OutputContainer
  ) throws(MediaError) -> CutRequest {
    guard let (needed, request) = try list?.source(for: request) else {
      let arranged = try arranged(request, container)
      if arranged !== source { choose(arranged) }
      return request
    }
    let pieces = needed.pieces
    let isSame = zip(pieces, source.pieces).allSatisfy { $0 === $1 }
    if !isSame || pieces.count != source.pieces.count { choose(needed) }
    return request
  }

  private func choose(_ source: any CutSource) {
    self.source = source
    gatherers = nil
    walked = nil
  }

  /// The source, with several files matched with the one that leads; one file alone, parts of which are joined,
  /// is matched with itself where the container does not hold its codec.
  private func arranged(
    _ request: CutRequest, _ container: OutputContainer
  ) throws(MediaError) -> any CutSource {
    if whole.isJoined, let joined = source.joined {
      return try joined.arranged(for: request, container)
    }
    guard request.joinMode == .fit else { return whole }
    let alone = try JoinedSource([whole], names: ["it"])
    let joined = try (source.joined ?? alone).arranged(for: request, container)
    return joined.converts ? joined : whole
  }

  /// What the source holds besides its media.
  func sourceParts() -> SourceParts {
    if let walked { return walked }
    let native = source.native
    let parts = SourceParts(
      source.file, skipping: source.voids, of: native?.isInParts == true ? native?.movie : nil)
    walked = parts
    return parts
  }

  private func opened() throws(MediaError) -> [FactsGatherer] {
    if let gatherers { return gatherers }
    return try source.pieces.map { (piece) throws(MediaError) in try FactsGatherer(piece, limits) }
  }

  /// - Throws: ``MediaError`` of code `planDiffers` where a plan was made for another file.
  func check(_ plan: CutPlan) throws(MediaError) {
    if try !isFocused(for: plan) { try complete() }
    _ = try enter(plan.request, plan.container)
    let known = try opened()
    gatherers = known
    guard plan.sources == known.map(\.facts.identity) else {
      throw MediaError(
        .planDiffers, "the plan was made for another file",
        hint: "Plan the cut again, with this file.")
    }
    let covers = source.facts.tracks.indices.filter { source.facts.tracks[$0].isCoverArt }
    let counts = source.pieces.map { $0.tracks.map(\.coded.packets.count) }
    guard plan.isWithin(counts, covers: Set(covers)) else {
      throw MediaError(
        .planDiffers,
        "the plan refers to packets or covers that the file does not have or the output cannot hold",
        hint: "Plan the cut again; the plan was changed or damaged.")
    }
    if let refusal = plan.descriptionRefusal(known.map(\.facts)) { throw MediaError(refusal) }
  }

  /// Checks whether a file can be created there, before any work is done.
  ///
  /// - Throws: ``MediaError`` where a file of that name exists already or is the source, or its
  ///   folder does not exist.
  public func checkPlace(_ path: [UInt8], replaces: Bool) throws(MediaError) {
    try OutputPlace.check(
      path, replacing: replaces, sparing: source.pieces.map(\.file.fileIdentity))
  }

  /// Executes a plan into a new file, which appears complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - replaces: whether a file of that name is replaced.
  ///   - keepsFailed: whether a file that fails verification is kept, as `NAME.failed`.
  /// - Throws: ``MediaError``; the destination is then unchanged.
  public func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool = false, keepsFailed: Bool = false,
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    try cut(
      plan, to: path, replaces: replaces, keepsFailed: keepsFailed, faults: { _ in nil },
      progress: progress)
  }

  /// Plans and cuts in one go.
  public func cut(
    _ request: CutRequest, to path: [UInt8], as container: OutputContainer,
    replaces: Bool = false, keepsFailed: Bool = false,
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    try cut(
      plan(request, for: container), to: path, replaces: replaces, keepsFailed: keepsFailed,
      progress: progress)
  }

  /// Cuts with a way to inject system failures.
  package func cut(
    _ plan: CutPlan, to path: [UInt8], replaces: Bool, keepsFailed: Bool,
    faults: @escaping PendingFile.FaultPort,
    progress: (CutProgress) -> Bool = { _ in true }
  ) throws(MediaError) -> CutReport {
    let pending = try PendingFile(
      at: path, replacing: replaces, sparing: source.pieces.map(\.file.fileIdentity),
      faults: faults)
    let report: CutReport
    do throws(MediaError) {
      report = try cut(plan, into: pending, progress: progress)
    } catch {
      if keepsFailed { error.keepFailed(pending, of: path) }
      throw error
    }
    try pending.publish()
    return report
  }

  /// Executes a plan into an open file, verified but not published.
  ///
  /// - Throws: ``MediaError``; what was written stays in the file.
  package func cut(
    _ plan: CutPlan, into output: PendingFile, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    let report: CutReport
    let refusals = LibavLibrary.refusals
    do throws(MediaError) {
      let isProven = plan.request.verification != .none
      let plan = try settled(plan)
      do throws(MediaError) {
        let written = try write(plan, to: output, isProven: isProven, progress: progress)
        report =
          source.isIncomplete
          ? try writeOfWhole(plan, to: output, isProven: isProven, progress: progress) : written
      } catch  where source.isIncomplete && error.code != .cancelled {
        report = try writeOfWhole(plan, to: output, isProven: isProven, progress: progress)
      }
      for (number, piece) in source.pieces.enumerated() {
        do throws(MediaError) {
          try piece.file.checkUnchanged()
        } catch {
          throw error.about(number, of: source.pieces.count)
        }
      }
    } catch {
      throw source.pieces.enumerated().reduce(error) { error, piece in
        let cause = piece.element.file.cause(of: error)
        return cause == error ? error : cause.about(piece.offset, of: source.pieces.count)
      }
    }
    // Anything produced after FFmpeg became unavailable is not usable.
    guard LibavLibrary.refusals == refusals else {
      throw MediaError(.engineMissing, "this requires FFmpeg")
    }
    return report
  }
}

extension OpenedFile {
  /// Plans and writes again what turned out to need more than was read.
  private func writeOfWhole(
    _ plan: CutPlan, to output: PendingFile, isProven: Bool, progress: (CutProgress) -> Bool
  ) throws(MediaError) -> CutReport {
    try complete()
    try output.empty()
    return try write(
      planOfOpened(plan.request, for: plan.container), to: output, isProven: isProven,
      progress: progress)
  }
}

extension MediaError {
  /// The same error about one of several sources.
  func about(_ number: Int, of count: Int) -> MediaError {
    var error = self
    if count > 1, source == nil { error.source = number }
    return error
  }

  /// Keeps a file that failed verification, as `NAME.failed`.
  package func keepFailed(_ output: PendingFile, of path: [UInt8]) {
    guard code == .verificationFailed else { return }
    let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? path
    try? output.keep(as: name + Array(".failed".utf8))
  }
}
