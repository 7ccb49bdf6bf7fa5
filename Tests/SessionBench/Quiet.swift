import ExactTime
import MallocCounter
import Trimming

/// An input in a state in which it has no effect.
struct Quiet {
  var name: String
  var input: SessionInput
  /// What happened before, after the video has loaded.
  var before: [SessionInput] = []

  static let all: [Quiet] = [
    Quiet(name: "position in the range", input: .playbackTimeDidChange(currentTime: MediaTime(30))),
    Quiet(
      name: "position while paused", input: .playbackTimeDidChange(currentTime: MediaTime(121, 2)),
      before: [.pauseDidTap]),
    Quiet(name: "no pass has ended", input: .playbackPassesDidEnd(count: 0)),
    Quiet(name: "playhead moved to where it is", input: .playheadDidMove(to: Clip.start)),
    Quiet(name: "play while playing", input: .playDidTap),
    Quiet(name: "pause while paused", input: .pauseDidTap, before: [.pauseDidTap]),

    Quiet(name: "the same range", input: same),
    Quiet(name: "the same range, dragged", input: same, before: [.dragDidBegin]),
    Quiet(name: "the same range, at frames", input: same, before: [.snapDidChange(.frame)]),
    Quiet(name: "the same range, at keyframes", input: same, before: [.snapDidChange(.keyframe)]),
    Quiet(
      name: "a range snapped to where it was",
      input: .timeRangeDidChange(from: MediaTime(101, 100), to: MediaTime(59)),
      before: [.snapDidChange(.frame)]),
    Quiet(
      name: "a range outside the video",
      input: .timeRangeDidChange(from: MediaTime(100), to: MediaTime(200))),
    Quiet(name: "handle grabbed", input: .dragDidBegin),
    Quiet(name: "handle let go, none held", input: .dragDidEnd),
    Quiet(name: "in-point where it is", input: .inPointDidSet),
    Quiet(
      name: "out-point where it is", input: .outPointDidSet,
      before: [.pauseDidTap, .playheadDidMove(to: Clip.out)]),
    Quiet(
      name: "nudge at the end", input: .nudge(.outPoint, by: .frames(1)),
      before: [.timeRangeDidChange(from: Clip.start, to: Clip.end)]),
    Quiet(name: "undo, nothing done", input: .undoDidTap),
    Quiet(name: "redo, nothing undone", input: .redoDidTap),
    Quiet(name: "the same snap", input: .snapDidChange(.off)),

    Quiet(name: "visited before", input: .firstVisitDidResolve(.visitedBefore)),
    Quiet(name: "tutorial closed, none shown", input: .tutorialDidClose),
    Quiet(
      name: "tutorial asked for, shown already", input: .tutorialDidTap, before: [.tutorialDidTap]),
    Quiet(name: "retry of a video that is ready", input: .retryDidTap),
    Quiet(name: "picture outdated", input: .pictureDidArrive(id: -1, position: .zero)),

    Quiet(
      name: "export goes on", input: .exportDidProgress(id: 1, fraction: Rational(1, 2)),
      before: [.exportDidTap]),
    Quiet(name: "end of an unknown export", input: .exportDidCancel(id: 9)),
    Quiet(name: "cancel without an export", input: .exportCancelDidTap),
    Quiet(name: "alert closed, none shown", input: .alertDidClose),
  ]

  private static let same = SessionInput.timeRangeDidChange(
    from: Clip.start, to: Clip.out)

  /// How often inputs allocated, by name; inputs that follow the rule are left out.
  ///
  /// An input that does have effects is included, too, whatever it allocated: the list above is
  /// wrong.
  static func allocations() -> [String: Int] {
    var counts: [String: Int] = [:]
    for quiet in all {
      let (allocations, effects) = quiet.count(times: 10_000)
      if allocations > 0 || effects > 0 { counts[quiet.name] = allocations }
    }
    return counts
  }

  private func count(times: Int) -> (allocations: Int, effects: Int) {
    var session = Clip.session()
    for input in before { _ = session.handle(input) }
    // The first call may load metadata that the runtime then caches.
    var effects = session.handle(input).count
    let earlier = trim_allocation_count()
    for _ in 0..<times { effects += session.handle(input).count }
    return (Int(trim_allocation_count() - earlier), effects)
  }
}
