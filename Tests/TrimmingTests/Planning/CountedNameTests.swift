import ExactTime
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1)))
struct `Given rounded times that are replaced by exact ones for the output` {
  private static let clip = DrawnClip("I0 P1 P2 P3 I4 P5 P6 P7")

  /// Frames of 40 ms, whose counted times are so far off that the next frame's start is nearer.
  private static var source: SourceFacts {
    var facts = DrawnSource(clip, isISO: false).facts
    facts.tracks.removeLast()
    var counted = facts.tracks[0]
    counted.roundedBy = MediaDuration(1, 100)
    counted.coded.grid = TickGrid(ticksPerSecond: 1000)
    for place in counted.coded.packets.indices.dropFirst() {
      counted.coded.packets[place].pts = counted.coded.packets[place].pts * 40 - 30
      counted.coded.packets[place].dts = counted.coded.packets[place].pts
    }
    for place in counted.coded.packets.indices { counted.coded.packets[place].duration = 40 }
    counted.coded.packets[0].duration = 10
    facts.counted = [counted]
    return facts
  }

  @Test(arguments: 1..<8, [OutputContainer.mp4, .matroska])
  func `when a frame is named by its stated time then that frame is used`(
    _ frame: Int, _ container: OutputContainer
  ) throws {
    let time = MediaTime(Int64(frame), 25)
    for (from, to, count) in [(.zero, time, frame), (time, MediaTime(8, 25), 8 - frame)] {
      let range = try #require(MediaTimeRange(from: from, to: to))
      let plan = try CutPlanner([Self.source], container.rules, CutRequest(range: range)).plan()
      #expect(plan.frames == count, "\(from)..\(to)")
      #expect(plan.parts[0].tracks[0].video?.lead == nil, "\(from)..\(to)")
    }
  }

  /// Near the 64-bit limit there are not enough ticks on both sides.
  @Test func `when OUT is the last possible tick then the plan still succeeds`() throws {
    var facts = DrawnSource(Self.clip, isISO: false).facts
    facts.tracks.removeLast()
    facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: 90_000)
    let range = try #require(
      MediaTimeRange(from: .zero, to: MediaTime(.max, 90_000)))
    let plan = try CutPlanner([facts], OutputContainer.mpegts.rules, CutRequest(range: range))
      .plan()
    #expect(plan.frames == 8)
  }
}
