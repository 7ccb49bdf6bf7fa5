import ExactTime
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a frame that is on screen at IN` {
  /// Frames of one second.
  private static let clip = DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7")

  private static func plan(
    _ from: MediaTime, _ to: MediaTime, into container: OutputContainer = .mp4,
    clip: DrawnClip? = nil
  ) throws -> CutPlan {
    var source = DrawnSource(clip ?? Self.clip)
    source.facts.tracks.removeLast()
    source.facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: 1)
    source.facts.tracks[0].frameRate = Rational(1)
    let range = try #require(MediaTimeRange(from: from, to: to))
    return try CutPlanner([source.facts], container.rules, CutRequest(range: range)).plan()
  }

  @Test func `then it begins the cut, for the rest of its duration`() throws {
    let plan = try Self.plan(MediaTime(5, 2), MediaTime(6))
    let cut = try #require(plan.parts[0].tracks[0].video)
    #expect(cut.lead == 2)
    #expect(cut.head == [2, 3])
    #expect(plan.frames == 4)
    #expect(plan.length == MediaDuration(7, 2))
    #expect(plan.tracks[0].source?.start == MediaTime(5, 2))
  }

  @Test func `when it is a clean keyframe then its packet is copied`() throws {
    let plan = try Self.plan(MediaTime(9, 2), MediaTime(7))
    #expect(plan.parts[0].tracks[0].video?.lead == 4)
    #expect(plan.encodedFrames == 0)
    #expect(plan.frames == 3)
  }

  /// Ticks as long as frames, the first two hidden by an edit list, as FFmpeg writes them.
  @Test func `when it is the first frame that the edit list shows then it begins the cut`() throws {
    var source = DrawnSource(Self.clip)
    source.facts.tracks.removeLast()
    source.facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: 1)
    source.facts.tracks[0].frameRate = Rational(1)
    source.facts.tracks[0].coded.origin = MediaTime(-2)
    source.facts.tracks[0].coded.visible = 2..<8
    for place in source.facts.tracks[0].coded.packets.indices {
      source.facts.tracks[0].coded.packets[place].pts += 2
    }
    let range = try #require(MediaTimeRange(from: MediaTime(1, 4), to: MediaTime(3)))
    let plan = try CutPlanner([source.facts], OutputContainer.mp4.rules, CutRequest(range: range))
      .plan()
    #expect(plan.parts[0].tracks[0].video?.lead == 0)
    #expect(plan.length == MediaDuration(11, 4))
    #expect(plan.encodedFrames == 0)
  }

  @Test func `when the range is within it then the cut is only that frame`() throws {
    let plan = try Self.plan(MediaTime(17, 4), MediaTime(9, 2))
    #expect(plan.frames == 1)
    #expect(plan.encodedFrames == 0)
    #expect(plan.length == MediaDuration(1, 4))
  }

  @Test(arguments: [(25, 3), (240, 3), (1000, 2)])
  func `when under a millisecond of it is left then it is shown if frames are that short`(
    _ rate: Int64, _ first: Int
  ) throws {
    var source = DrawnSource(Self.clip)
    source.facts.tracks.removeLast()
    source.facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: rate)
    source.facts.tracks[0].frameRate = Rational(rate)
    // Nine tenths of a millisecond before the fourth frame.
    let start = try MediaTime(3, rate).moved(back: MediaDuration(9, 10_000))
    let range = try #require(MediaTimeRange(from: start, to: MediaTime(6, rate)))
    let plan = try CutPlanner(
      [source.facts], OutputContainer.mp4.rules, CutRequest(range: range)
    ).plan()
    #expect(plan.frames == 6 - first)
  }

  @Test func `when a frame begins at IN then none before it is shown`() throws {
    let plan = try Self.plan(MediaTime(2), MediaTime(6))
    #expect(plan.parts[0].tracks[0].video?.lead == nil)
    #expect(plan.frames == 4)
  }

  @Test
  func `when the container counts frames then the whole frame is shown, and this is reported`()
    throws
  {
    var source = DrawnSource(Self.clip, codec: "mpeg4")
    source.facts.tracks.removeLast()
    source.facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: 1)
    source.facts.tracks[0].frameRate = Rational(1)
    let range = try #require(MediaTimeRange(from: MediaTime(5, 2), to: MediaTime(6)))
    let plan = try CutPlanner(
      [source.facts], OutputContainer.avi.rules, CutRequest(range: range)
    ).plan()
    #expect(plan.frames == 4)
    #expect(plan.tracks[0].source?.start == MediaTime(2))
    #expect(plan.tracks[0].reasons.contains(.beginsWithFrame))
  }

  @Test func `when nothing is on screen in the range then there is no video to cut`() throws {
    #expect(throws: PlanningError.self) { try Self.plan(MediaTime(8), MediaTime(9)) }
  }

  private static let seeds = Array(UInt64(1)...200)

  @Test(arguments: seeds)
  func `then what is shown begins at IN and is what a player shows`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let clip = DrawnClip.random(groups: 5, using: &generator)
    let last = clip.ticks.upperBound * 7
    let from = Int64.random(in: 0..<last, using: &generator)
    let to = Int64.random(in: from + 1...last, using: &generator)
    guard let plan = try? Self.plan(MediaTime(from, 7), MediaTime(to, 7), clip: clip) else {
      Issue.record("\(generator): \(clip)")
      return
    }
    // Frames of one second: all that are on screen.
    #expect(Int64(plan.frames) == (to + 6) / 7 - from / 7, "\(generator): \(clip)")
    #expect(plan.length == MediaDuration(to - from, 7), "\(generator): \(clip)")
    #expect(plan.tracks[0].source?.start == MediaTime(from, 7), "\(generator): \(clip)")
  }
}
