public import ExactTime
public import Observation

/// A trimming screen's state and events: the shell around ``TrimmingSession``.
///
/// Properties are state: observable, the latest value counts, intermediate ones may go unseen; a
/// reader is told of a change of what it has read and of nothing else. ``onRestartedVideo``,
/// ``onTutorialVisibilityChange`` and ``events`` are events: every subscriber gets all of them, in
/// order, from its subscription on. State changes before the event that tells of it is delivered.
///
/// Methods say what happened; none of them waits. A call out of a port is taken in after the input
/// that caused it.
@MainActor public final class TrimmingPresenter: Observable {
  // MARK: State

  /// Whether the video is loading, ready or failed; each is a screen of its own.
  public var phase: Phase { state(\.phase, \.phase) }
  /// Whether the length of every part, or of all that are joined, is within the limit, exactly.
  public var isVideoLengthValid: Bool { state(\.isVideoLengthValid, \.isVideoLengthValid) }
  /// The selected part: always inside the video, never reversed, never empty.
  public var timeRange: MediaTimeRange { state(\.timeRange, \.timeRange) }
  /// All parts that an export keeps.
  public var list: PartList { state(\.list, \.list) }
  /// The limit by which the length is judged.
  public var limit: LengthLimit { state(\.limit, \.limit) }
  /// The playhead: inside the range while playing, anywhere in the video while paused.
  public var playbackTime: MediaTime { state(\.playbackTime, \.playbackTime) }
  /// Whether the range is being played, over and over; true from the start unless told otherwise.
  public var isPlaying: Bool { state(\.isPlaying, \.isPlaying) }
  /// How many passes over the range have ended.
  public var passCount: Int { state(\.passCount, \.passCount) }
  /// Whether the tutorial is to be shown over the screen.
  public var isTutorialVisible: Bool { state(\.isTutorialVisible, \.isTutorialVisible) }
  /// True when the video is ready, its length valid and no export running.
  public var isExportEnabled: Bool { state(\.isExportEnabled, \.isExportEnabled) }
  /// How far the running export has come, if there is one.
  public var exportState: ExportState { state(\.exportState, \.exportState) }
  /// The files of the last export; none before the first.
  public var exportedLocations: [String] { state(\.exportedLocations, \.exportedLocations) }
  /// The first file of the last export; `nil` before the first export.
  public var exportedLocation: String? { exportedLocations.first }
  /// What the user has to be told before going on; `nil` when there is nothing.
  public var alert: TrimmingAlert? { state(\.alert, \.alert) }
  /// What the last step of the user could not do, or did besides.
  public var notice: SessionNotice? { state(\.notice, \.notice) }
  /// Whether there is a change to take back; a drag under way counts.
  public var canUndo: Bool { state(\.canUndo, \.canUndo) }
  /// Whether something was taken back that can be repeated.
  public var canRedo: Bool { state(\.canRedo, \.canRedo) }
  /// What the ends of the range are pulled to when they move.
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

  /// Playback reached the end of the range and is back at its start.
  public let onRestartedVideo = Broadcast<Restart>()
  /// The tutorial's visibility: on the first appearance ever `false`, then `true`.
  public let onTutorialVisibilityChange = Broadcast<Bool>()
  /// Everything in one order, the two above included.
  public let events = Broadcast<SessionEvent>()

  // MARK: Inside

  /// The value behind the state, for what has no property here; reading it is not observed.
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
  /// What has been read, and how its readers are told of another value.
  private var published: [PartialKeyPath<TrimmingPresenter>: any PublishedState] = [:]

  /// Creates the presenter of one screen, which is loading until it is told of the video.
  ///
  /// - Parameters:
  ///   - isPlaying: whether the screen starts playing on its own.
  ///   - trace: called with every event, in order and at once, before the subscribers get it: for
  ///     tools that print and tests that record.
  public init(
    video: TrimmingVideo, limit: LengthLimit = .standard, isPlaying: Bool = true,
    ports: TrimmingPorts, trace: @escaping (SessionEvent) -> Void = { _ in }
  ) {
    session = TrimmingSession(video: video, limit: limit, isPlaying: isPlaying)
    self.ports = ports
    self.trace = trace
  }

  /// Takes in what happened: every method of the presenter ends here.
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

  /// The value of a property, which is told to the registrar as read.
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
  /// Tells the readers where the value is another one.
  func publish(
    _ session: TrimmingSession, of presenter: TrimmingPresenter, _ registrar: ObservationRegistrar)
}

@MainActor private final class ReadState<Value: Equatable>: PublishedState {
  let property: KeyPath<TrimmingPresenter, Value>
  let source: KeyPath<TrimmingSession, Value>
  /// What its readers know.
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
