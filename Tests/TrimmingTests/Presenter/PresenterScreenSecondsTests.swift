import ExactTime
import Support
import Testing
import Trimming

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a screen that measures in Double` {
  private static let grid = TickGrid(ticksPerSecond: 90_000)

  @Test func `then its values are rounded to the grid in the stated direction`() {
    let stage = Stage()
    stage.presenter.timeRangeDidChange(
      fromScreenSeconds: 0.1 + 0.2, to: 60.4, on: Self.grid, rounding: .nearest)
    #expect(stage.presenter.timeRange == range(at(3, 10), at(604, 10)))
    stage.presenter.playbackTimeDidChange(
      currentScreenSeconds: 1.000_01, on: Self.grid, rounding: .down)
    #expect(stage.presenter.playbackTime == at(1))
    stage.presenter.playheadDidMove(toScreenSeconds: 2.000_01, on: Self.grid, rounding: .up)
    #expect(stage.presenter.playbackTime == at(180_001, 90_000))
    stage.expectLogged([.rangeChanged, .playheadMoved])
  }

  @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300])
  func `then one that is not a time changes nothing, and a note says so`(_ value: Double) {
    var notes = 0
    let stage = Stage(trace: { if case .diagnostic = $0 { notes += 1 } })
    stage.presenter.timeRangeDidChange(
      fromScreenSeconds: value, to: 50, on: Self.grid, rounding: .nearest)
    stage.presenter.timeRangeDidChange(
      fromScreenSeconds: 2, to: value, on: Self.grid, rounding: .nearest)
    stage.presenter.playbackTimeDidChange(
      currentScreenSeconds: value, on: Self.grid, rounding: .down)
    stage.presenter.playheadDidMove(toScreenSeconds: value, on: Self.grid, rounding: .down)
    #expect(notes == 4)
    #expect(stage.presenter.timeRange == range(1, 60))
    #expect(stage.presenter.playbackTime == at(1))
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `then 10,000 random values break no rule`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stage = Stage(range(at(0), at(121, 2)))
    func value() -> Double {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Double(bitPattern: random.next())
      case 1: [.nan, .infinity, -.infinity, 0, -0.0, 60.5].randomElement(using: &random) ?? 0
      default: .random(in: -10...310, using: &random)
      }
    }
    for number in 1...10_000 {
      let presenter = stage.presenter
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        presenter.timeRangeDidChange(
          fromScreenSeconds: value(), to: value(), on: Self.grid, rounding: .nearest)
      case 2:
        presenter.playbackTimeDidChange(
          currentScreenSeconds: value(), on: Self.grid, rounding: .down)
      case 3:
        presenter.playheadDidMove(toScreenSeconds: value(), on: Self.grid, rounding: .up)
      default:
        if presenter.isPlaying { presenter.pauseDidTap() } else { presenter.playDidTap() }
      }
      let isShort = presenter.timeRange.length < MediaDuration(121, 2)
      let isInside = presenter.timeRange.contains(presenter.playbackTime)
      if presenter.isVideoLengthValid != isShort || (presenter.isPlaying && !isInside)
        || presenter.timeRange.isEmpty || !Clip.bounds.contains(presenter.timeRange)
      {
        Issue.record("rule broken by input \(number), \(random): \(presenter.session)")
        break
      }
    }
    stage.log.take()
  }
}
