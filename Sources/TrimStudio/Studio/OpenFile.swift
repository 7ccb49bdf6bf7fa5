import ExactTime
import JSON
import Trimming

/// An open file: one session, and all the pages that show it.
@MainActor final class OpenFile {
  let file: StudioFile
  /// Its number in the studio.
  let number: Int
  /// The other files whose parts are in the list, by their index in the session less one.
  var added: [AddedFile] = []
  /// Opens the other files of kept work, once.
  var going: Task<Void, Never>?
  let presenter: TrimmingPresenter
  /// What is looked for in it.
  let search: StudioSearch
  /// The previewed result, and its sequence number.
  var preview: (number: Int, result: StudioResult)?
  var previewCount = 0
  private let relay = EventRelay()
  private var listeners: [(page: String, exchange: HTTPExchange)] = []
  /// Whether a page has shown it as its own file.
  private(set) var wasShown = false
  /// The page that is playing.
  private var player: String?
  /// The file that it plays, by its index in the session.
  private var playedSource = 0
  private var outlook: (wish: Wish, value: StudioCutting.Outlook?)?
  private var isPlanning = false
  /// Incremented when planning changes for a reason other than the range.
  private var plannings = 0
  private var isSending = false
  /// The limit of a fresh start.
  let initialLimit: LengthLimit
  /// What keeps unfinished work, if it is kept, and knows what a project has.
  let work: WorkKeeper
  /// A list that a page is sending.
  var arriving: ArrivingList?
  /// The parts when the file was opened.
  private(set) var opened: PartList
  /// The parts that the last export wrote.
  private(set) var written: PartList?
  private var exporting: PartList?
  /// Runs while an export does.
  private var following: Task<Void, Never>?

  /// - Parameters:
  ///   - number: its number in the studio.
  ///   - limit: the initial length limit, if none is remembered.
  init(_ file: StudioFile, number: Int = 0, limit: LengthLimit) {
    self.file = file
    self.number = number
    let limit = file.limit?.load() ?? limit
    initialLimit = limit
    let presenter = TrimmingPresenter(
      video: file.video, limit: limit, isPlaying: false,
      ports: TrimmingPorts(
        probe: ProbePort { [timings = file.timings] _ in timings }, flags: file.flags,
        export: file.cutting.export),
      trace: { [relay] event in relay.report?(event) })
    presenter.videoDidLoad(file.timings)
    // A pixel spans many frames: handles snap to the start of one.
    if !file.timings.frames.isEmpty { presenter.snapDidChange(to: .frame) }
    self.presenter = presenter
    search = StudioSearch(file, presenter)
    work = Self.keeper(of: file, presenter)
    opened = presenter.list
    relay.report = { [weak self] event in self?.report(event) }
    search.didChange = { [weak self] in self?.change() }
  }

  /// What is changed from here on is new.
  func begin() {
    opened = presenter.list
    change()
  }

  var isShown: Bool { !listeners.isEmpty }
  var isExporting: Bool { presenter.exportState != .idle }

  // MARK: Pages

  /// The maximum number of pages that show one file at a time; beyond that, the oldest has to
  /// reconnect.
  static let mostPages = 100

  func addListener(_ page: String, _ exchange: HTTPExchange) {
    if listeners.count >= Self.mostPages, let first = listeners.first?.exchange {
      first.end()
      drop([first])
    }
    listeners.append((page, exchange))
    wasShown = true
    exchange.answerStream(
      HTTPResponse(
        200, type: "text/event-stream", fields: [("X-Accel-Buffering", "no")]
      ).safe.fields)
    send("state", state, to: [exchange])
  }

  /// Sends a keep-alive, and removes pages that are gone; if one of them was playing, playback
  /// pauses.
  func beat() { send(Array(": \n\n".utf8), to: listeners.map(\.exchange)) }

  /// Tells all pages that the studio ends.
  func end(_ cause: StudioEnd.Cause) {
    keepNow()
    let fate: StudioEnd.Fate =
      keepsWork && work.keepsSomething ? .kept : isUnwritten ? .lost : .none
    send("end", StudioEnd(cause, fate), to: exchanges)
  }

  func close() {
    search.stop()
    for listener in listeners { listener.exchange.end() }
  }

  private func drop(_ gone: [HTTPExchange]) {
    guard !gone.isEmpty else { return }
    let pages = listeners.filter { listener in gone.contains { $0 === listener.exchange } }
    listeners.removeAll { listener in gone.contains { $0 === listener.exchange } }
    if listeners.isEmpty { endPreview() }
    search.stop(unless: listeners.map(\.page))
    if let player, pages.contains(where: { $0.page == player }),
      !listeners.contains(where: { $0.page == player })
    {
      self.player = nil
      presenter.pauseDidTap()
    }
  }

  // MARK: Inputs

  /// Handles an input from a page; reports from players other than the current one are ignored, and late
  /// ones of a file that is no longer shown.
  func take(_ input: SessionInput, from page: String) {
    let source = presenter.session.shownSource
    switch input {
    case .playDidTap: (player, playedSource) = (page, source)
    case .playbackTimeDidChange where player != page || playedSource != source: return
    default: break
    }
    if case .exportDidTap = input, !isExporting { exporting = presenter.list }
    presenter.handle(input)
    change()
    if case .exportDidTap = input { followExport() }
  }

  /// Progress is no event of the session: pages get it four times a second.
  private func followExport() {
    guard isExporting, following == nil else { return }
    following = Task { [weak self] in
      while let self, isExporting {
        change()
        try? await Task.sleep(for: .milliseconds(250))
      }
      self?.following = nil
    }
  }

  /// - Throws: `VideoFailure` with a sentence about the text.
  func take(_ text: String, for purpose: PageText.Purpose) throws {
    defer { change() }
    func time() throws -> MediaTime { try shown.words.time(text, presenter.timeRange) }
    switch purpose {
    case .playhead: presenter.timeDidType(.playhead, try time())
    case .inPoint: presenter.timeDidType(.inPoint, try time())
    case .outPoint: presenter.timeDidType(.outPoint, try time())
    case .limit:
      let limit = try lowered(try file.words.limit(text))
      presenter.limitDidChange(to: limit)
      file.limit?.keep(limit)
    case .output: try change(.output(text))
    case .mode: try change(.mode(text))
    case .tracks: try change(.tracks(text))
    case .folder: try change(.folder(text))
    case .forget: forgetWork()
    }
  }

  /// A limit that was given at the start can be lowered, and raised up to there again.
  private func lowered(_ limit: LengthLimit) throws -> LengthLimit {
    guard !file.isLimitGiven || limit.isAtMost(initialLimit) else {
      throw VideoFailure("The limit was set when the studio was started: it can only be lowered.")
    }
    return limit
  }

  private func change(_ what: StudioSettings.Change) throws {
    try file.cutting.change(what)
    // The existing plan is no longer valid.
    plannings += 1
    outlook = nil
  }

  // MARK: Messages to pages

  private func report(_ event: SessionEvent) {
    switch event {
    case .exportDidFinish where exporting != nil: written = exporting
    default: break
    }
    switch event {
    case .seek, .restartedVideo, .exportDidFinish, .alertDidAppear:
      send("moment", StudioMoment(message: SessionMessage(.event(event))), to: exchanges)
    default: break
    }
    change()
  }

  /// Sends the state after all current changes are processed.
  func change() {
    guard !isSending else { return }
    isSending = true
    Task { [weak self] in
      guard let self else { return }
      isSending = false
      if keepsWork { work.keep() }
      wantOutlook()
      send("state", state, to: exchanges)
    }
  }

  private var exchanges: [HTTPExchange] { listeners.map(\.exchange) }

  private func send(_ name: String, _ value: some Encodable, to exchanges: [HTTPExchange]) {
    guard !exchanges.isEmpty, let json = try? JSONValue.encoded(value) else { return }
    let head = Array("event: \(name)\ndata: ".utf8)
    send(head + JSONWriter.write(json, .line) + Array("\n".utf8), to: exchanges)
  }

  private func send(_ bytes: [UInt8], to exchanges: [HTTPExchange]) {
    drop(exchanges.filter { !$0.send(bytes) })
  }

  /// What does not change; too long for the event stream if every frame has an individual time.
  var opening: StudioOpening {
    StudioOpening(
      facts: file.about, frames: file.timings.frames, keyframes: file.timings.keyframes,
      chapters: file.chapters, sounds: file.sounds.tracks, finding: file.finding.choices,
      lists: file.lists.formats, media: file.media.type, state: state)
  }

  private var state: StudioState {
    let screen = presenter.session.screen
    var state = StudioState(
      message: SessionMessage(.screen(screen)), player: player,
      manner: file.cutting.settings(),
      results: presenter.exportedLocations.isEmpty
        ? []
        : file.cutting.results().enumerated().map { index, result in
          .init(number: index, name: result.name, place: result.place)
        }, hasReturned: hasReturned, isKept: keepsWork && !work.isHeld, workNote: work.note,
      finding: search.state)
    guard case .ready(let ready) = screen else { return state }
    state.sources = shownSources(number: number)
    state.isHeld = keepsWork && work.isHeld ? true : nil
    state.words = words(of: ready)
    state.plan = plan(of: ready)
    return state
  }

  private func words(of ready: TrimmingScreen.Ready) -> StudioState.Words {
    let words = shown.words
    func length(_ range: MediaTimeRange) -> String {
      (try? range.checkedLength()).map { words.clock(MediaTime(seconds: $0.seconds)) } ?? ""
    }
    return StudioState.Words(
      verdict: words.verdict(ready), notice: ready.notice.map { words.notice($0, ready) },
      alert: ready.alert?.message, start: words.clock(ready.timeRange.start),
      end: words.clock(ready.timeRange.end), length: length(ready.timeRange),
      playhead: words.clock(ready.playbackTime), timecode: words.timecode(ready.playbackTime),
      limit: ready.limit.maximum.map { words.clock(MediaTime(seconds: $0.seconds)) } ?? "none",
      parts: ready.list.parts.map { part in
        "\(words.clock(part.range.start)) – \(words.clock(part.range.end))"
      }, lengths: ready.list.parts.map { length($0.range) },
      markers: ready.list.markers.map { words.clock($0.position) })
  }

  // MARK: The plan

  /// What an export would write; `nil` until it is known.
  private func plan(of ready: TrimmingScreen.Ready) -> StudioCutting.Outlook? {
    outlook.flatMap { $0.wish == Wish(ready.list) ? $0.value : nil }?
      .shown(ofSource: ready.source ?? 0)
  }

  /// Plans the current parts; intermediate ranges are never planned.
  private func wantOutlook() {
    let wish = Wish(presenter.session.list)
    guard !isPlanning, presenter.phase == .ready, isShown, outlook?.wish != wish else { return }
    isPlanning = true
    Task { [weak self, outlook = file.cutting.outlook, plannings] in
      let value = try? await outlook(wish.parts, wish.joins)
      guard let self else { return }
      isPlanning = false
      if plannings == self.plannings { self.outlook = (wish, value) }
      change()
    }
  }

  /// What a plan is made for; which part is selected makes no difference.
  private struct Wish: Equatable {
    var parts: [TrimmingPart]
    var joins: Bool

    init(_ list: PartList) { (parts, joins) = (list.parts, list.joins) }
  }
}

/// Connects a presenter to objects created after it.
@MainActor private final class EventRelay {
  var report: ((SessionEvent) -> Void)?
}

/// Unfinished work, which returns when the file is opened again.
extension OpenFile {
  /// - Parameter presenter: of the video, which has loaded.
  static func keeper(of file: StudioFile, _ presenter: TrimmingPresenter) -> WorkKeeper {
    let keeper = WorkKeeper(
      file.work ?? .nowhere, presenter, frames: file.timings.frames.count,
      isLimitGiven: file.isLimitGiven,
      settings: .init(now: file.cutting.settings, change: file.cutting.change),
      sources: file.sources.stated)
    keeper.restore()
    if let project = file.project { try? keeper.open(project) }
    return keeper
  }

  /// Whether unfinished work is kept.
  var keepsWork: Bool { file.work != nil }

  /// Keeps the work without waiting.
  func keepNow() { if keepsWork { work.keepNow() } }

  /// Forgets it: the whole video is selected again.
  func forgetWork() { if keepsWork { work.forget() } }

  var hasReturned: Bool { keepsWork && work.hasReturned }

  /// Whether something was changed since the file was opened, and not exported as it is now.
  var isUnwritten: Bool {
    let (list, written) = (presenter.list, written)
    let isWritten = list.parts == written?.parts && list.joins == written?.joins
    return isExporting || list.parts != opened.parts && !isWritten
  }
}

extension OpenFile {
  /// Makes a preview of the current selection: all parts if they are joined, otherwise the selected
  /// one.
  ///
  /// The previous one is released, and one being made is cancelled.
  ///
  /// - Throws: `VideoFailure`.
  func makePreview(isWritten: Bool) async throws -> StudioPreview {
    endPreview()
    previewCount += 1
    let number = previewCount
    let list = presenter.session.list
    let parts = list.joins ? list.parts : [list.selected]
    let made = try await file.cutting.preview(
      parts, presenter.session.limit, isWritten)
    let outlook = try await file.cutting.outlook(parts, list.joins)
    guard number == previewCount, let bounds = MediaTimeRange(from: .zero, to: made.end) else {
      throw VideoFailure("This preview was replaced by a newer one.")
    }
    preview = (number, made)
    return StudioPreview(
      number: number, facts: made.facts, frames: made.frames, bounds: bounds, seams: made.seams,
      media: made.media.type, isWritten: made.isWritten, sentence: outlook.sentence)
  }

  /// Ends the preview and releases its unnamed file.
  func endPreview() {
    previewCount += 1
    preview = nil
    file.cutting.endPreview()
  }
}
