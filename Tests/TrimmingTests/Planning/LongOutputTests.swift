import ExactTime
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1)))
struct `Given a range of about 26 hours` {
  /// Pictures of 500 s each.
  private static func source(pictures count: Int) -> SourceFacts {
    let pictures = (0..<count).map { "I\($0)" }.joined(separator: " ")
    var facts = DrawnSource(DrawnClip(pictures), isISO: true).facts
    facts.tracks.removeLast()
    facts.tracks[0].coded.grid = TickGrid(ticksPerSecond: 1)
    for place in facts.tracks[0].coded.packets.indices {
      facts.tracks[0].coded.packets[place].pts *= 500
      facts.tracks[0].coded.packets[place].dts = facts.tracks[0].coded.packets[place].pts
      facts.tracks[0].coded.packets[place].duration = 500
    }
    return facts
  }

  @Test(arguments: [OutputContainer.mpegts, .m2ts, .mp4, .matroska], [186, 188])
  func `when it is longer then only containers whose clock would wrap refuse it`(
    _ container: OutputContainer, _ count: Int
  ) throws {
    let range = try #require(
      MediaTimeRange(from: .zero, to: MediaTime(Int64(count) * 500)))
    let planner = CutPlanner(
      [Self.source(pictures: count)], container.rules, CutRequest(range: range))
    let isTooLong = count * 500 > 26 * 3600 && ![.mp4, .matroska].contains(container)
    do throws(PlanningError) {
      #expect(try planner.plan().frames == count)
      #expect(!isTooLong)
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(isTooLong, "\(refusal)")
      #expect(refusal.message.contains("26 hours"))
    }
  }
}
