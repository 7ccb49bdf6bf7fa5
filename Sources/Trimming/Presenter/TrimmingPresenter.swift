public import ExactTime
public import Observation

/// A trimming screen's state and events: the shell around ``TrimmingSession``.
///
/// Properties are state: observable, the latest value counts, intermediate ones may be missed; a
/// reader is notified only of changes to what it has read. ``onRestartedVideo``,
/// ``onTutorialVisibilityChange`` and ``events`` are events: every subscriber receives all of them,
/// in order, from its subscription on. State changes before the event that reports it is delivered.
///
/// Methods report what happened; none of them blocks. A call from within a port is processed after
/// the input that caused it.
@MainActor public final class TrimmingPresenter: Observable {
  // MARK: State

  /// Whether the video is loading, ready or failed; each is a separate screen.
  public var phase: Phase { state(\.phase, \.phase) }
  /// Whether the length of every part, or of all joined parts, is within the limit, exactly.
  public var isVideoLengthValid: Bool { state(\.isVideoLengthValid, \.isVideoLengthValid) }
  /// The selected part: always inside the video, never reversed, never empty.
  public var timeRange: MediaTimeRange { state(\.timeRange, \.timeRange) }
  /// All parts that an export keeps.
  public var list: PartList { state(\.list, \.list) }
  /// The limit the length is checked against.
  public var limit: LengthLimit { state(\.limit, \.limit) }
  /// The playhead: inside the range while playing, anywhere in the video while paused.
  public var playbackTime: MediaTime { state(\.playbackTime, \.playbackTime) }
  /// Whether the range is being played in a loop; true from the start by default.
  public var isPlaying: Bool { state(\.isPlaying, \.isPlaying) }
  /// How many passes over the range have ended.
  public var passCount: Int { state(\.passCount, \.passCount) }
  /// Whether the tutorial is shown over the screen.
  public var isTutorialVisible: Bool { state(\.isTutorialVisible, \.isTutorialVisible) }
  /// True when the video is ready, its length is valid and no export is running.
  public var isExportEnabled: Bool { state(\.isExportEnabled, \.isExportEnabled) }
  /// The state of the export and its progress, if one is running.
  public var exportState: ExportState { state(\.exportState, \.exportState) }
  /// The files of the last export; none before the first.
  public var exportedLocations: [String] { state(\.exportedLocations, \.exportedLocations) }
  /// The first file of the last export; `nil` before the first export.
  public var exportedLocation: String? { exportedLocations.first }
  /// The alert the user has to close before going on; `nil` when there is none.
  public var alert: TrimmingAlert? { state(\.alert, \.alert) }
  /// What the user's last action could not do, or did in addition.
  public var notice: SessionNotice? { state(\.notice, \.notice) }
  /// Whether there is a change to undo; a drag in progress counts.
  public var canUndo: Bool { state(\.canUndo, \.canUndo) }
  /// Whether there is an undone change to redo.
  public var canRedo: Bool { state(\.canRedo, \.canRedo) }
  /// What the endpoints of the range snap to when they move.
  public var snap: Snap { state(\.snap, \.snap) }
  /// The whole screen at once, for views that draw it in one go.
  public var screen: TrimmingScreen { state(\.screen, \.screen) }

  /// The newest picture of the handle that moved; `nil` before the first.
  public private(set) var picture: FramePicture? {
    get {
      registrar.access(self, keyPath: \.picture)
      return newestPicture
    }
    set { registrar.withMutation(of: self, keyPath: \.picture) { newestPicture = newValue } }
  }

  // MARK: Events

  /// Playback reached the end of the range and returned to its start.
  public let onRestartedVideo = Broadcast<Restart>()
  /// The tutorial's visibility; on the first visit ever, `false` and then `true`.
  public let onTutorialVisibilityChange = Broadcast<Bool>()
  /// All events in one order, including the two above.
  public let events = Broadcast<SessionEvent>()

  // MARK: Inside

  /// The underlying session value, for what has no property here; reading it is not observed.
  public private(set) var session: TrimmingSession
  let ports: TrimmingPorts
  private let trace: (SessionEvent) -> Void
  private var waiting: [SessionInput] = []
  private var isApplying = false
  let probing = TaskSlot()
  let exporting = TaskSlot()
  let picturing = TaskSlot()
  var arrivedPicture: FramePicture?
  private var newestPicture: FramePicture?
  private let registrar = ObservationRegistrar()
  /// The properties that have been read, and how their readers are notified of changes.
  private var published: [PartialKeyPath<TrimmingPresenter>: any PublishedState] = [:]

  /// Creates the presenter of one screen, which is loading until the video is reported.
  ///
  /// - Parameters:
  ///   - isPlaying: whether the screen starts playing on its own.
  ///   - trace: called synchronously with every event, in order, before subscribers receive it: for
  ///     tools that print and tests that record.
  public init(
    video: TrimmingVideo, limit: LengthLimit = .standard, isPlaying: Bool = true,
    ports: TrimmingPorts, trace: @escaping (SessionEvent) -> Void = { _ in }
  ) {
    session = TrimmingSession(video: video, limit: limit, isPlaying: isPlaying)
    self.ports = ports
    self.trace = trace
  }

  /// Processes an input: every method of the presenter ends here.
  public func handle(_ input: SessionInput) {
    guard !isApplying else {
      waiting.append(input)
      return
    }
    isApplying = true
    defer { isApplying = false }
    apply(input)
    while !waiting.isEmpty { apply(waiting.removeFirst()) }
  }

  private func apply(_ input: SessionInput) {
    let effects = session.handle(input)
    for state in published.values { state.publish(session, of: self, registrar) }
    for effect in effects { perform(effect) }
  }

  /// The value of a property; the read is registered for observation.
  private func state<Value: Equatable>(
    _ property: KeyPath<TrimmingPresenter, Value>, _ source: KeyPath<TrimmingSession, Value>
  ) -> Value {
    registrar.access(self, keyPath: property)
    let value = session[keyPath: source]
    if published[property] == nil {
      published[property] = ReadState(property: property, source: source, value: value)
    }
    return value
  }

  func deliver(_ event: SessionEvent) {
    trace(event)
    switch event {
    case .restartedVideo(let restart): onRestartedVideo.send(restart)
    case .tutorialVisibilityDidChange(let isVisible): onTutorialVisibilityChange.send(isVisible)
    default: break
    }
    events.send(event)
  }

  func show(_ picture: FramePicture) { self.picture = picture }
}

/// A property that somebody has read.
@MainActor private protocol PublishedState: AnyObject {
  /// Notifies the readers if the value changed.
  func publish(
    _ session: TrimmingSession, of presenter: TrimmingPresenter, _ registrar: ObservationRegistrar)
}

@MainActor private final class ReadState<Value: Equatable>: PublishedState {
  let property: KeyPath<TrimmingPresenter, Value>
  let source: KeyPath<TrimmingSession, Value>
  /// The value last seen by its readers.
  var value: Value

  init(
    property: KeyPath<TrimmingPresenter, Value>, source: KeyPath<TrimmingSession, Value>,
    value: Value
  ) {
    self.property = property
    self.source = source
    self.value = value
  }

  func publish(
    _ session: TrimmingSession, of presenter: TrimmingPresenter, _ registrar: ObservationRegistrar
  ) {
    let newest = session[keyPath: source]
    guard newest != value else { return }
    registrar.withMutation(of: presenter, keyPath: property) { value = newest }
  }
}
