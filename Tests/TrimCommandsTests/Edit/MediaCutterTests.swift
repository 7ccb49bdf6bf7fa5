import ExactTime
import Foundation
import MediaEngine
import Support
import Testing
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given the cutter of a file` {
  private let home: TemporaryFolder
  private let cutter: MediaCutter

  init() throws {
    home = try TemporaryFolder()
    cutter = MediaCutter.live(
      .file(path: Array(SampleClips.path("over-limit.mp4").utf8)), container: .mp4,
      isCancelled: { false }, open: EnginePort.openFile)
  }

  private func order(under maximum: MediaDuration) throws -> CutOrder {
    CutOrder(
      [try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))],
      to: Array(home.path(of: "o.mp4").utf8), limit: LengthLimit(maximum: maximum),
      replaces: false)
  }

  @Test func `a result that would be too long is neither written nor previewed, whoever asks`()
    throws
  {
    let order = try order(under: MediaDuration(19, 10))
    let refusal = VideoFailure("TOO LONG by 0.100 s (must be under 1.9 s)")
    #expect(throws: refusal) { try cutter.cut(order, { false }, { _ in true }) }
    #expect(throws: refusal) { _ = try cutter.preview(order) { true } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.root).isEmpty)
  }

  @Test func `a result within the limit is written`() throws {
    try cutter.cut(order(under: MediaDuration(21, 10)), { false }, { _ in true })
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.root) == ["o.mp4"])
  }
}
