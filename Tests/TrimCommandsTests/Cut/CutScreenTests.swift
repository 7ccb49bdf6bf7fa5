import CommandLineKit
import ExactTime
import Testing

@testable import TrimCommands
@testable import Trimming

@Suite struct `Given a plan that is displayed` {
  private func line(
    meant end: MediaTime, length: MediaDuration, tracks: [TrackPlan] = []
  ) throws -> String {
    let requested = try #require(
      MediaTimeRange(from: .zero, to: MediaTime(346_513, 100_000)))
    let meant = try #require(MediaTimeRange(from: .zero, to: end))
    let part = PartPlan(
      source: 0, requested: requested, range: meant, start: .zero, length: length, tracks: [])
    let plan = CutPlan(
      sources: [], container: .webm, request: CutRequest(range: requested), parts: [part],
      written: meant, tracks: tracks)
    let traits = StreamTraits(
      isTerminal: false, terminalColumns: nil, color: .never, isPlain: true,
      environment: .fixed([:]))
    return CutScreen.text(plan, nil, output: Array("a.webm".utf8), traits, isPlain: true)
  }

  @Test func `when OUT means a frame that begins before it then the end is not mentioned`() throws {
    let text = try line(meant: MediaTime(693, 200), length: MediaDuration(693, 200))
    #expect(text.contains("from 0 up to 3.465 (requested: 0 up to 3.46513)"), "\(text)")
  }

  @Test func `when the file ends before OUT then that is stated`() throws {
    let text = try line(meant: MediaTime(346_513, 100_000), length: MediaDuration(3))
    #expect(
      text.contains("from 0 up to 3 (requested: 0 up to 3.46513; nothing is shown after)"),
      "\(text)")
  }

  @Test(arguments: [
    (75, "the range has no keyframe"), (28, "a part without a keyframe is re-encoded"),
  ])
  func `when nothing of a part could be copied then only that part is mentioned`(
    _ encoded: Int, _ sentence: String
  ) throws {
    var track = TrackPlan(index: 0, id: 1, kind: .video, codec: "h264")
    track.packets = 75
    track.encoded = encoded
    track.reasons = [.noRandomAccessPoint]
    let text = try line(
      meant: MediaTime(3), length: MediaDuration(3), tracks: [track])
    #expect(text.contains(sentence), "\(text)")
  }
}
