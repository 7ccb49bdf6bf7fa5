import ExactTime
import Support
import Testing
import Trimming

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a first-visit flag that is not claimed yet`
{
  /// What a subscriber sees when the screen appears once more.
  private static func visibility(
    of stage: Stage, logged names: [LogEvent.Name] = [.screenAppeared, .tutorialShown]
  ) async -> [Bool] {
    let reader = stage.presenter.onTutorialVisibilityChange.subscribe()
    stage.presenter.viewDidAppear()
    stage.presenter.onTutorialVisibilityChange.finish()
    var seen: [Bool] = []
    for await isVisible in reader { seen.append(isVisible) }
    stage.expectLogged(names)
    return seen
  }

  @Test func `then the first appearance shows the tutorial: hidden, then visible`() async {
    let stage = Stage(flag: .inMemory())
    #expect(await Self.visibility(of: stage) == [false, true])
    #expect(stage.presenter.isTutorialVisible)
  }

  @Test func `then it is shown while the video is still loading`() async {
    let stage = Stage(flag: .inMemory(), isReady: false)
    #expect(await Self.visibility(of: stage) == [false, true])
  }

  @Test func `then a second appearance shows nothing`() async {
    let stage = Stage(flag: .inMemory())
    stage.presenter.viewDidAppear()
    stage.presenter.tutorialDidClose()
    stage.expectLogged([.screenAppeared, .tutorialShown, .tutorialClosed])
    #expect(await Self.visibility(of: stage, logged: [.screenAppeared]) == [])
    #expect(!stage.presenter.isTutorialVisible)
  }

  @Test func `then a new presenter with the same flag shows nothing`() async {
    let flag = FirstVisitFlag.inMemory()
    let first = Stage(flag: flag)
    first.presenter.viewDidAppear()
    first.expectLogged([.screenAppeared, .tutorialShown])
    let second = Stage(flag: flag)
    #expect(await Self.visibility(of: second, logged: [.screenAppeared]) == [])
  }

  @Test func `then resetting the flag brings it back`() async throws {
    let flag = FirstVisitFlag.inMemory()
    let first = Stage(flag: flag)
    first.presenter.viewDidAppear()
    first.expectLogged([.screenAppeared, .tutorialShown])
    #expect(try flag.isClaimed())
    try flag.reset()
    #expect(try !flag.isClaimed())
    let second = Stage(flag: flag)
    #expect(await Self.visibility(of: second) == [false, true])
  }

  @Test func `then the flag is claimed when the tutorial is shown, not when it is closed`() throws {
    let stage = Stage(flag: .inMemory())
    stage.presenter.viewDidAppear()
    #expect(try stage.flag.isClaimed())
    stage.expectLogged([.screenAppeared, .tutorialShown])
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a first-visit flag that cannot be stored` {
  private static let flag = FirstVisitFlag(
    claim: { throw Refusal(description: "the home directory is read-only") },
    reset: {}, isClaimed: { false })

  @Test func `then the tutorial is shown, with a note and without an alert`() async {
    let stage = Stage(flag: Self.flag)
    let reader = stage.presenter.events.subscribe()
    stage.presenter.viewDidAppear()
    stage.presenter.events.finish()
    var notes: [String] = []
    for await event in reader { if case .diagnostic(let note) = event { notes.append(note) } }
    #expect(notes == ["the home directory is read-only"])
    #expect(stage.presenter.isTutorialVisible)
    #expect(stage.presenter.alert == nil)
    stage.expectLogged([.screenAppeared, .firstVisitUnknown, .tutorialShown])
  }
}
