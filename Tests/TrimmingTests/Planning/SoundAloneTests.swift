import ExactTime
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given an output whose name asks for sound alone` {
  private static func request() throws -> CutRequest {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2))))
    request.isSoundAlone = true
    return request
  }

  private static let source = DrawnSource(DrawnFilm("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12"))

  @Test func `then the default track of sound is written, and nothing else`() throws {
    var facts = Self.source.facts
    var second = facts.tracks[1]
    second.id = 3
    second.isDefault = true
    facts.tracks.append(second)
    let plan = try CutPlanner([facts], OutputContainer.m4a.rules, Self.request()).plan()
    #expect(plan.parts[0].tracks.map(\.source) == [2])
    #expect(plan.tracks.filter { $0.dropped != nil }.map(\.index) == [0, 1])
  }

  @Test func `when no track is the default then it is the first`() throws {
    let plan = try CutPlanner(
      [Self.source.facts], OutputContainer.m4a.rules, Self.request()
    ).plan()
    #expect(plan.parts[0].tracks.map(\.source) == [1])
    // What the packets hold besides is in the file, and told.
    #expect(plan.tracks[1].hiddenLength.isPositive)
  }

  @Test func `when there is no sound then that is said`() throws {
    var facts = Self.source.facts
    facts.tracks.removeLast()
    #expect(throws: PlanningError.self) {
      try CutPlanner([facts], OutputContainer.m4a.rules, Self.request()).plan()
    }
  }

  @Test(arguments: [
    ("a.m4a", true), ("a.MP3", true), ("b/a.opus", true), ("a.flac", true), ("a.wav", true),
    ("a.aac", true), ("a.mka", true), ("a.mp4", false), ("a.mkv", false), ("a.ogg", false),
    ("a.m4a/b", false), ("m4a", false), ("a.m4a.mp4", false), ("", false),
  ])
  func `then the ending tells`(_ name: String, _ isSound: Bool) {
    #expect(OutputContainer.isSoundAlone(fileName: name.utf8) == isSound)
  }
}
