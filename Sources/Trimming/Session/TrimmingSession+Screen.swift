import ExactTime

extension TrimmingSession {
  // MARK: The video

  mutating func videoDidLoad(_ timings: VideoTimings, _ effects: inout [SessionEffect]) {
    let bounds = timings.bounds ?? sources[0].bounds
    guard let whole = Self.clamped(bounds, into: bounds) else {
      videoDidFail(.unusableLength, &effects)
      return
    }
    sources[0].timings = timings
    sources[0].bounds = whole
    if phase != .ready {
      phase = .ready
      effects.deliver(.phaseDidChange(.ready))
    }
    effects.log(.videoLoaded, .init("from", .time(whole.start)), .init("to", .time(whole.end)))
    if list.isSeveral || !list.markers.isEmpty {
      let kept = list.clamped(into: sources) ?? PartList(whole)
      if kept != list { replace(with: kept, cause: RangeCause.load.rawValue, &effects) }
    }
    if shownSource == 0 {
      setRange(Self.clamped(timeRange, into: whole) ?? whole, cause: .load, &effects)
    }
    playbackTime = min(max(playbackTime, self.bounds.start), self.bounds.end)
    if isPlaying { returnPlayheadToRange(&effects) }
  }

  mutating func videoDidFail(_ failure: VideoFailure, _ effects: inout [SessionEffect]) {
    guard phase != .failed(failure) else { return }
    phase = .failed(failure)
    effects.deliver(.phaseDidChange(phase))
    effects.log(.videoFailed, .init("reason", .text(failure.message)))
  }

  mutating func retry(_ effects: inout [SessionEffect]) {
    guard isFailed else { return }
    phase = .loading
    effects.deliver(.phaseDidChange(.loading))
    effects.log(.videoRetried)
    effects.append(.probe)
  }

  // MARK: The tutorial

  /// A failed video does not claim the flag: the tutorial waits for a working screen to explain.
  mutating func viewDidAppear(_ effects: inout [SessionEffect]) {
    effects.log(.screenAppeared, .init("location", .text(location)))
    if !isFailed { effects.append(.claimFirstVisit) }
  }

  mutating func firstVisitDidResolve(_ visit: FirstVisit, _ effects: inout [SessionEffect]) {
    switch visit {
    case .visitedBefore: break
    case .first:
      effects.deliver(.tutorialVisibilityDidChange(isVisible: false))
      showTutorial(isAskedFor: false, &effects)
    case .unavailable(let reason):
      effects.deliver(.diagnostic(reason))
      effects.log(.firstVisitUnknown, .init("reason", .text(reason)))
      guard !wasShownWithoutFlag else { return }
      wasShownWithoutFlag = true
      effects.deliver(.tutorialVisibilityDidChange(isVisible: false))
      showTutorial(isAskedFor: false, &effects)
    }
  }

  mutating func showTutorial(isAskedFor: Bool, _ effects: inout [SessionEffect]) {
    guard !isTutorialVisible else { return }
    isTutorialVisible = true
    effects.deliver(.tutorialVisibilityDidChange(isVisible: true))
    effects.log(.tutorialShown, .init("asked", .flag(isAskedFor)))
  }

  mutating func tutorialDidClose(_ effects: inout [SessionEffect]) {
    guard isTutorialVisible else { return }
    isTutorialVisible = false
    effects.deliver(.tutorialVisibilityDidChange(isVisible: false))
    effects.log(.tutorialClosed)
  }

  // MARK: Pictures

  /// The endpoint that moved decides: the first frame of the range, or the last one that is shown.
  mutating func requestPicture(previous: MediaTimeRange, _ effects: inout [SessionEffect]) {
    if timeRange.start != previous.start {
      requestPicture(of: .inPoint, timeRange.start, &effects)
    } else {
      let last = SnapPlaces(timings.frames).stepping(-1, from: timeRange.end)
      requestPicture(of: .outPoint, last ?? timeRange.end, &effects)
    }
  }

  mutating func requestPicture(
    of handle: Handle, _ position: MediaTime, _ effects: inout [SessionEffect]
  ) {
    newestPicture += 1
    effects.append(
      .requestPicture(
        PictureRequest(
          id: newestPicture, handle: handle, position: position, source: shownSource)))
  }

  mutating func pictureDidArrive(
    id: Int, position: MediaTime, _ effects: inout [SessionEffect]
  ) {
    guard id == newestPicture else { return }
    picturePosition = position
    effects.append(.showPicture(id: id))
  }
}
