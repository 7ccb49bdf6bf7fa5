import ExactTime
import Foundation
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a cut of chosen tracks` {
  private static let source = DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12"))

  /// The drawn video and sound, and a second sound with the number 3.
  private static var facts: SourceFacts {
    var facts = source.facts
    var second = facts.tracks[1]
    second.id = 3
    facts.tracks.append(second)
    facts.learned[2] = facts.learned[1]
    return facts
  }

  private static func plan(
    _ choice: TrackChoice?, from: MediaTime = MediaTime(1, 10)
  ) throws -> CutPlan {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: from, to: MediaTime(1, 2))))
    request.tracks = choice
    return try CutPlanner([facts], OutputContainer.mp4.rules, request).plan()
  }

  private static let choices: [(TrackChoice?, [Int])] = [
    (nil, [0, 1, 2]), (TrackChoice(kinds: [.video]), [0]), (TrackChoice(kinds: [.audio]), [1, 2]),
    (TrackChoice(ids: [3]), [2]), (TrackChoice(kinds: [.video], ids: [3]), [0, 2]),
    (TrackChoice(kinds: [.video, .audio], ids: [3]), [0, 1, 2]),
  ]

  @Test(arguments: choices)
  func `then these are written, and the plan says that the others were not chosen`(
    _ choice: TrackChoice?, _ written: [Int]
  ) throws {
    let plan = try Self.plan(choice)
    #expect(plan.parts[0].tracks.map(\.source) == written)
    for track in plan.tracks where !written.contains(track.index) {
      #expect(track.dropped == "it was not selected")
    }
  }

  @Test func `when the video is not chosen then its frames do not move IN`() throws {
    // A tenth of a millisecond before the beginning of a frame.
    let start = MediaTime(399, 10_000)
    #expect(try Self.plan(nil, from: start).parts[0].start == MediaTime(1, 25))
    #expect(try Self.plan(TrackChoice(kinds: [.audio]), from: start).parts[0].start == start)
  }

  /// Neither a requested track nor the only video track is left out.
  @Test(
    arguments: [
      (0, nil, true), (1, nil, false), (1, TrackChoice(ids: [1, 2]), true),
      (1, TrackChoice(ids: [1]), false), (1, TrackChoice(kinds: [.audio]), true),
    ] as [(Int, TrackChoice?, Bool)])
  func `when the codec of a track is not known then it is left out or refused`(
    _ unknown: Int, _ choice: TrackChoice?, _ isRefused: Bool
  ) throws {
    var facts = Self.source.facts
    facts.tracks[unknown].codec = "none"
    facts.learned[unknown, default: .init()].holders = []
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2))))
    request.tracks = choice
    let planner = CutPlanner([facts], OutputContainer.matroska.rules, request)
    guard !isRefused else {
      #expect(throws: PlanningError.self) { try planner.plan() }
      return
    }
    #expect(try planner.plan().parts[0].tracks.map(\.source) == [1 - unknown])
  }

  @Test func `when a number is not that of a track then the refusal lists the track numbers`()
    throws
  {
    let error = #expect(throws: PlanningError.self) { try Self.plan(TrackChoice(ids: [1, 9])) }
    guard case .refused(let refusal) = try #require(error) else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect(refusal.message == "it has no track 9")
    #expect(refusal.hint == "Its tracks: 1 (video), 2 (audio), 3 (audio).")
  }

  @Test func `when no presented track is chosen then there is no plan`() {
    #expect(throws: PlanningError.self) { try Self.plan(TrackChoice(kinds: [.subtitle])) }
  }

  @Test func `then the choice round-trips through JSON, always as the same text`() throws {
    let choice = TrackChoice(kinds: [.video, .audio], ids: [3, 12, 1])
    let text = try JSONEncoder().encode(choice)
    #expect(try JSONDecoder().decode(TrackChoice.self, from: text) == choice)
    #expect(String(decoding: text, as: UTF8.self).contains("[1,3,12]"))
  }
}
