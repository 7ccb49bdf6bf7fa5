public import ExactTime
public import Observation

/// A trimming screen's state and events: the shell around ``TrimmingSession``.
///
/// Properties are state: observable, the latest value counts, intermediate ones may go unseen.
/// ``onRestartedVideo``, ``onTutorialVisibilityChange`` and ``events`` are events: every subscriber
/// gets all of them, in order, from its subscription on. State changes before the event that tells
/// of it is delivered.
///
/// Methods say what happened; none of them waits. A call out of a port is taken in after the input
/// that caused it.
@MainActor @Observable public final class TrimmingPresenter {
  // MARK: State

  public private(set) var phase: Phase
  /// Whether the length of the range is within the limit, exactly.
  public private(set) var isVideoLengthValid: Bool
  /// Always inside the video, never reversed, never empty.
  public private(set) var timeRange: MediaTimeRange
  /// The playhead: inside the range while playing, anywhere in the video while paused.
  public private(set) var playbackTime: MediaTime
  public private(set) var isPlaying: Bool
  /// How many passes over the range have ended.
  public private(set) var passCount: Int
  public private(set) var isTutorialVisible: Bool
  public private(set) var isExportEnabled: Bool
  public private(set) var exportState: ExportState
  /// Where the last export was written; `nil` before the first.
  public private(set) var exportedLocation: String?
  public private(set) var alert: TrimmingAlert?
  public private(set) var canUndo: Bool
  public private(set) var canRedo: Bool
  public private(set) var snap: Snap
  /// The newest picture of the handle that moved; `nil` before the first.
  public private(set) var picture: FramePicture?

  /// The whole screen at once, for views that draw it in one go.
  public var screen: TrimmingScreen {
    // Read through the observable properties, so that a view that reads this is told of changes.
    _ = (phase, timeRange, playbackTime, isPlaying, passCount, isTutorialVisible)
    _ = (isExportEnabled, exportState, exportedLocation, alert, canUndo, canRedo, snap)
    return session.screen
  }

  // MARK: Events

  /// Playback reached the end of the range and is back at its start.
  @ObservationIgnored public let onRestartedVideo = Broadcast<Restart>()
  /// The tutorial's visibility; `false`, then `true` on the first appearance ever.
  @ObservationIgnored public let onTutorialVisibilityChange = Broadcast<Bool>()
  /// Everything in one order, the two above included.
  @ObservationIgnored public let events = Broadcast<SessionEvent>()

  // MARK: Inside

  @ObservationIgnored public private(set) var session: TrimmingSession
  @ObservationIgnored let ports: TrimmingPorts
  @ObservationIgnored private let trace: (SessionEvent) -> Void
  @ObservationIgnored private var waiting: [SessionInput] = []
  @ObservationIgnored private var isApplying = false
  @ObservationIgnored let probing = TaskSlot()
  @ObservationIgnored let exporting = TaskSlot()
  @ObservationIgnored let picturing = TaskSlot()
  @ObservationIgnored var arrivedPicture: FramePicture?

  /// - Parameters:
  ///   - isPlaying: whether the screen starts playing on its own.
  ///   - trace: called with every event, in order and at once, before the subscribers get it: for
  ///     tools that print and tests that record.
  public init(
    video: TrimmingVideo, limit: LengthLimit = .standard, isPlaying: Bool = true,
    ports: TrimmingPorts, trace: @escaping (SessionEvent) -> Void = { _ in }
  ) {
    let session = TrimmingSession(video: video, limit: limit, isPlaying: isPlaying)
    self.session = session
    self.ports = ports
    self.trace = trace
    phase = session.phase
    isVideoLengthValid = session.isVideoLengthValid
    timeRange = session.timeRange
    playbackTime = session.playbackTime
    self.isPlaying = session.isPlaying
    passCount = session.passCount
    isTutorialVisible = session.isTutorialVisible
    isExportEnabled = session.isExportEnabled
    exportState = session.exportState
    exportedLocation = session.exportedLocation
    alert = session.alert
    canUndo = session.canUndo
    canRedo = session.canRedo
    snap = session.snap
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
    publishState()
    for effect in effects { perform(effect) }
  }

  /// Observers are told of a value only where it is another one.
  private func publishState() {
    phase = session.phase
    isVideoLengthValid = session.isVideoLengthValid
    timeRange = session.timeRange
    playbackTime = session.playbackTime
    isPlaying = session.isPlaying
    passCount = session.passCount
    isTutorialVisible = session.isTutorialVisible
    isExportEnabled = session.isExportEnabled
    exportState = session.exportState
    exportedLocation = session.exportedLocation
    alert = session.alert
    canUndo = session.canUndo
    canRedo = session.canRedo
    snap = session.snap
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
