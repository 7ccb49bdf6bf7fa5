public import ExactTime

/// All the rules of a trimming screen, as a value type.
///
/// Inputs go in, the state changes, effects come out; it uses no clock, file or thread, and never
/// blocks. An input that requires no effect allocates nothing.
///
/// Invariants, whatever the inputs: each part is of one of the files, the range is inside its file, neither reversed nor empty
/// (except for a video of zero length, which is never ready); while playing, the playhead is inside
/// the range; while paused, the playhead is inside the video, including its very end.
public struct TrimmingSession: Hashable, Sendable {
  /// The video's name for the ports, as it was given.
  public let location: String
  /// The limit the length is checked against.
  public internal(set) var limit: LengthLimit

  /// Whether the video is loading, ready or failed.
  public internal(set) var phase: Phase = .loading
  /// The files that parts may be of; the first is the one that the screen was opened with.
  public internal(set) var sources: [TrimmingSource]
  /// What the endpoints of the range snap to when they move.
  public internal(set) var snap = Snap.off

  /// The parts that the export keeps; ``timeRange`` is the range of the selected one.
  public internal(set) var list: PartList
  /// Whether every part, or the total of joined parts, is within the limit.
  public internal(set) var isVideoLengthValid: Bool

  /// The playhead, on the timeline of the file that is shown.
  public internal(set) var playbackTime: MediaTime
  /// Whether the range is being played.
  public internal(set) var isPlaying: Bool
  /// How many passes over the range have ended.
  public internal(set) var passCount = 0

  /// Whether the tutorial is shown over the screen.
  public internal(set) var isTutorialVisible = false
  /// The state of the export and its progress, if one is running.
  public internal(set) var exportState = ExportState.idle
  /// The files of the last export.
  public internal(set) var exportedLocations: [String] = []
  /// The alert the user has to close before going on; `nil` when there is none.
  public internal(set) var alert: TrimmingAlert?
  /// What the user's last action could not do, or did in addition.
  public internal(set) var notice: SessionNotice?
  /// The exact position of the frame in the newest picture.
  public internal(set) var picturePosition: MediaTime?

  /// What was found in the first file, in order of time; it is not undone with the parts.
  public internal(set) var findings: [TrimmingFinding] = []

  var history = PartHistory()
  /// The parts at the moment the current drag began.
  var dragOrigin: PartList?
  var nextPartID = 2
  var wasShownWithoutFlag = false
  var newestPicture = 0
  var newestExport = 0

  /// Creates the state of a screen whose video is still loading.
  ///
  /// - Parameter isPlaying: whether the screen starts playing on its own.
  public init(video: TrimmingVideo, limit: LengthLimit = .standard, isPlaying: Bool = true) {
    location = video.location
    self.limit = limit
    self.isPlaying = isPlaying
    sources = [TrimmingSource(location: video.location, bounds: video.bounds)]
    list = PartList(Self.clamped(video.initialRange, into: video.bounds) ?? video.bounds)
    playbackTime = list.selected.range.start
    isVideoLengthValid = list.verdict(limit) == .valid
  }

  /// The range of the selected part: what is played, and what the handles move.
  public internal(set) var timeRange: MediaTimeRange {
    get { list.parts[list.selectedIndex].range }
    set { list.parts[list.selectedIndex].range = newValue }
  }

  /// The parts that the export keeps, in export order.
  public var parts: [TrimmingPart] { list.parts }

  /// The first file of the last export.
  public var exportedLocation: String? { exportedLocations.first }

  /// Whether there is a change to undo; a drag in progress counts.
  public var canUndo: Bool { !history.undoable.isEmpty || isDragged }
  /// Whether there is an undone change to redo.
  public var canRedo: Bool { !history.redoable.isEmpty }
  /// True when the video is ready, its length is valid and no export is running.
  public var isExportEnabled: Bool {
    phase == .ready && isVideoLengthValid && exportState == .idle
  }

  /// The exact length of the range; `nil` only for a video whose length needs more than 64 bits,
  /// which is never ready.
  public var length: MediaDuration? { try? timeRange.checkedLength() }

  /// Whether the length of each part, or of all joined parts, is valid, and if not, by how much.
  public var verdict: LengthVerdict { list.verdict(limit) }

  /// Processes an input and returns the effects to carry out.
  public mutating func handle(_ input: SessionInput) -> [SessionEffect] {
    // An empty array needs no allocation.
    var effects: [SessionEffect] = []
    if notice != nil, input.isStepOfUser { notice = nil }
    switch input {
    case .playbackTimeDidChange(let time): playbackTimeDidChange(time, &effects)
    case .playbackPassesDidEnd(let count): playbackPassesDidEnd(count, &effects)
    case .playheadDidMove(let time): playheadDidMove(to: time, &effects)
    case .playheadDidDrag(let time): playheadDidMove(to: snapped(time), &effects)
    case .playDidTap: play(&effects)
    case .pauseDidTap: pause(&effects)

    case .timeRangeDidChange(let from, let to): timeRangeDidChange(from: from, to: to, &effects)
    case .screenTimeDidFail(let error):
      effects.deliver(.diagnostic("a time from the screen was rejected: \(error)"))
    case .dragDidBegin: dragDidBegin(&effects)
    case .dragDidEnd: dragDidEnd(&effects)
    case .inPointDidSet: inPointDidSet(&effects)
    case .outPointDidSet: outPointDidSet(&effects)
    case .nudge(let handle, let step): nudge(handle, by: step, &effects)
    case .timeDidType(let handle, let time): timeDidType(handle, time, &effects)
    case .snapDidChange(let snap): snapDidChange(to: snap, &effects)
    case .undoDidTap: undo(&effects)
    case .redoDidTap: redo(&effects)

    case .sourceDidAdd(let source): sourceDidAdd(source)
    case .partDidAppend(let source, let range): partDidAppend(of: source, range, &effects)
    case .partDidAdd(let range): partDidAdd(range, &effects)
    case .partDidSplit: partDidSplit(&effects)
    case .partDidDelete(let id): partDidDelete(id, &effects)
    case .partDidMove(let places): partDidMove(by: places, &effects)
    case .partsDidSort(let order): partsDidSort(by: order, &effects)
    case .partDidRename(let id, let name): partDidRename(id, name, &effects)
    case .partDidSelect(let id): partDidSelect(id, &effects)
    case .rangeDidRemove: rangeDidRemove(&effects)
    case .partsDidReturn(let kept): partsDidReturn(kept, &effects)
    case .joinDidChange(let joins): joinDidChange(to: joins, &effects)
    case .limitDidChange(let limit): limitDidChange(to: limit, &effects)

    case .markerDidAdd: markerDidAdd(&effects)
    case .markerDidRename(let id, let name): markerDidRename(id, name, &effects)
    case .markerDidDelete(let id): markerDidDelete(id, &effects)
    case .markerDidStep(let count): markerDidStep(by: count, &effects)

    case .findingsDidArrive(let found): findingsDidArrive(found, &effects)
    case .findingsDidKeep(let ids): findingsDidKeep(ids, &effects)
    case .findingsDidRemove(let ids, let margin):
      findingsDidRemove(ids, margin: margin, &effects)
    case .findingsDidSplit(let ids): findingsDidSplit(ids, &effects)
    case .findingDidStep(let count, let kind): findingDidStep(by: count, kind, &effects)

    case .viewDidAppear: viewDidAppear(&effects)
    case .firstVisitDidResolve(let visit): firstVisitDidResolve(visit, &effects)
    case .tutorialDidTap: showTutorial(isAskedFor: true, &effects)
    case .tutorialDidClose: tutorialDidClose(&effects)

    case .videoDidLoad(let timings): videoDidLoad(timings, &effects)
    case .videoDidFail(let failure): videoDidFail(failure, &effects)
    case .retryDidTap: retry(&effects)
    case .pictureDidArrive(let id, let position):
      pictureDidArrive(id: id, position: position, &effects)

    case .exportDidTap: exportDidTap(&effects)
    case .exportDidProgress(let id, let fraction): exportDidProgress(id: id, fraction)
    case .exportDidFinish(let id, let locations): exportDidFinish(id: id, locations, &effects)
    case .exportDidFail(let id, let message): exportDidFail(id: id, message, &effects)
    case .exportDidCancel(let id): exportDidCancel(id: id, &effects)
    case .exportCancelDidTap: exportCancelDidTap(&effects)
    case .alertDidClose: alertDidClose(&effects)
    }
    return effects
  }

  var isFailed: Bool {
    if case .failed = phase { true } else { false }
  }
}

extension [SessionEffect] {
  mutating func deliver(_ event: SessionEvent) { append(.deliver(event)) }

  mutating func log(_ name: LogEvent.Name, _ parameters: LogEvent.Parameter...) {
    append(.log(LogEvent(name, parameters)))
  }
}
