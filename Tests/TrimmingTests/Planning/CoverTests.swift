import ExactTime
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a file with a picture of its cover among the tags` {
  private static func dropped(by container: OutputContainer) throws -> [String] {
    var facts = DrawnSource(DrawnFilm("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12")).facts
    facts.covers = [SourceFacts.Cover(index: 2, id: 3, codec: "png")]
    let range = try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2)))
    return try CutPlanner([facts], container.rules, CutRequest(range: range)).plan().tracks
      .filter { $0.dropped != nil }.map(\.codec)
  }

  @Test(arguments: [OutputContainer.mp4, .mov])
  func `when the output has the same tags then nothing is left out`(
    _ container: OutputContainer
  ) throws {
    #expect(try Self.dropped(by: container).isEmpty)
  }

  @Test(arguments: [OutputContainer.matroska, .mpegts])
  func `when it has others then that is told`(_ container: OutputContainer) throws {
    #expect(try Self.dropped(by: container) == ["png"])
  }
}
