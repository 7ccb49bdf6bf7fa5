import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a file with cover art among its tags` {
  private static func covers(
    _ container: OutputContainer, codec: Codec = "png", bytes: [Int64] = [1000]
  ) throws -> [TrackPlan] {
    var facts = DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12")).facts
    facts.covers = bytes.enumerated().map { place, count in
      SourceFacts.Cover(index: 2 + place, id: 3 + place, codec: codec, byteCount: count)
    }
    let range = try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2)))
    return try CutPlanner([facts], container.rules, CutRequest(range: range)).plan().tracks
      .filter(\.isCover)
  }

  @Test(arguments: [OutputContainer.mp4, .mov])
  func `when the output has the same tags then it is carried over with them`(
    _ container: OutputContainer
  ) throws {
    #expect(try Self.covers(container).isEmpty)
  }

  @Test func `when the output has a place for it then it is carried over, not as a frame`() throws {
    let covers = try Self.covers(.matroska)
    #expect(covers.map(\.dropped) == [nil])
    #expect(covers[0].copiedBytes == 1000 && covers[0].packets == 1 && covers[0].source == nil)
  }

  @Test(arguments: [
    (OutputContainer.mpegts, "png", ".ts cannot hold a cover"),
    (.matroska, "webp", "only JPEG and PNG covers are copied"),
  ])
  func `when it has none then that is reported`(
    _ container: OutputContainer, _ codec: Codec, _ reason: String
  ) throws {
    #expect(try Self.covers(container, codec: codec).map(\.dropped) == [reason])
  }

  /// FLAC stores the length of a cover in 24 bits.
  @Test func `when they are large then as many are carried over as there is space for`() throws {
    let covers = try Self.covers(.matroska, bytes: [7_000_000, 7_000_000, 5_000_000])
    let reason = "covers of more than 12 MB are not copied"
    #expect(covers.map(\.dropped) == [nil, reason, nil])
  }

  @Test func `when the output holds one then the first nonempty one is carried over`() throws {
    let covers = try Self.covers(.ogg, bytes: [0, 1000, 1000])
    let one = ".ogg holds only one cover"
    #expect(covers.map(\.dropped) == ["it is empty", nil, one])
  }
}
