import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given tracks that are carried over with video and audio` {
  private static func track(
    _ kind: TrackKind, _ packets: ContiguousArray<CodedPacket> = [], bytes: Int64 = 0
  ) -> SourceFacts.Track {
    var track = SourceFacts.Track(
      id: 3, kind: kind, codec: kind == .subtitle ? "subrip" : "ttf", isPresented: false,
      coded: CodedTrack(
        index: 2, kind: kind, codec: "subrip", grid: TickGrid(ticksPerSecond: 25),
        origin: .zero, visible: Int64.min / 4..<Int64.max / 4, packets: packets))
    track.attachedByteCount = bytes
    return track
  }

  private static func plan(_ tracks: [SourceFacts.Track]) throws -> CutPlan {
    var facts = DrawnSource(
      DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12"), isISO: false
    ).facts
    facts.tracks += tracks
    for index in facts.tracks.indices {
      facts.learned[index, default: .init()].holders = Set(OutputContainer.allCases)
    }
    let range = try #require(MediaTimeRange(from: MediaTime(4, 25), to: MediaTime(10, 25)))
    return try CutPlanner([facts], OutputContainer.matroska.rules, CutRequest(range: range)).plan()
  }

  /// What is not carried over takes no space.
  @Test func `when attachments are large then as many are carried over as there is space for`()
    throws
  {
    let sizes: [Int64] = [40 << 20, 30 << 20, 20 << 20, 5 << 20]
    let plan = try Self.plan(sizes.map { Self.track(.attachment, bytes: $0) })
    #expect(plan.tracks.dropFirst(2).map { $0.dropped == nil } == [true, false, true, false])
    #expect(plan.copiedBytes >= 60 << 20)
  }

  @Test func `when a line of text lasts longer than 64 bits allow then it ends with the part`()
    throws
  {
    let text = CodedPacket(pts: 2, dts: 2, duration: .max, byteCount: 4, isKey: true)
    let plan = try Self.plan([Self.track(.subtitle, [text])])
    #expect(plan.tracks.last?.packets == 1)
    #expect(plan.parts[0].tracks.last?.clipped == [0])
  }

  /// OUT is after the last picture, which lasts until 520 ms.
  @Test func `when they continue past everything that is shown then they end with it`() throws {
    var facts = DrawnSource(DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7 I8 P9 P10 P11 P12")).facts
    facts.tracks.removeLast()
    facts.tracks.append(
      Self.track(
        .subtitle,
        ContiguousArray(
          [10, 13, 14].map {
            CodedPacket(pts: $0, dts: $0, duration: 3, byteCount: 4, isKey: true)
          })))
    facts.learned[1, default: .init()].holders = Set(OutputContainer.allCases)
    let range = try #require(MediaTimeRange(from: MediaTime(8, 25), to: MediaTime(25, 25)))
    let plan = try CutPlanner([facts], OutputContainer.matroska.rules, CutRequest(range: range))
      .plan()
    #expect(plan.parts[0].tracks.last?.clipped == [0])
    #expect(plan.parts[0].tracks.last?.outputRange.end == MediaTime(5, 25))
    #expect(plan.tracks.last?.packets == 1 && plan.tracks.last?.copiedBytes == 4)
  }
}
