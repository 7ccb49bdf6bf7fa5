import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given audio that is cut between two of its samples` {
  @Test(arguments: [MediaTime(1, 3), MediaTime(22_529, 55_125), MediaTime(7, 11)])
  func `when its end is kept then what is declared is what is heard`(_ start: MediaTime) throws {
    let folder = try ScratchFolder()
    let path = SampleClips.path("sound.m4a")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let end = try #require(clip.facts.durations.presented?.length)
    let range = try #require(MediaTimeRange(from: start, to: MediaTime(seconds: end.seconds)))
    let output = Array(folder.path(of: "cut.m4a").utf8)
    let report = try clip.cut(CutRequest(range: range), to: output, as: .mp4)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: output)).facts
    let declared = try #require(written.durations.declared?.length)
    let presented = try #require(written.durations.presented?.length)
    #expect(try declared.subtracting(presented).checkedMagnitude() < MediaDuration(1, 1_000_000))
    let lack = try report.plan.length.subtracting(presented).checkedMagnitude()
    #expect(lack < MediaDuration(1, 44_100))
  }
}
