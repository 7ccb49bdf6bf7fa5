import CommandLineKit
import Detection
import EditLists
import ExactTime
import Glibc
import Support
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given trim edit and something to find` {
  private nonisolated static func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to)))
  }

  /// Silence at 20 and at 30; black could not be looked at from 35 to 36.
  private nonisolated static func found(_ options: FindOptions) throws -> Findings {
    var found = Findings(try range(0, 60), options)
    found.tracks = [1]
    if options.kinds.contains(.silence) {
      found.findings += [
        Finding(.silence, try range(20, 22), score: nil),
        Finding(.silence, try range(30, 31), score: nil),
      ]
    }
    if options.kinds.contains(.scene) {
      found.findings.append(Finding(.scene, try range(0, 60), score: nil))
    }
    found.unseen = [Findings.Unseen(track: 1, range: try range(35, 36))]
    return found
  }

  private static func stage() throws -> EditStage {
    try EditStage(finds: { options, _ in try found(options) })
  }

  private func searching(_ stage: EditStage) async throws {
    stage.press("d\r")
    try await stage.repaint { stage.text(100, 30).contains(" found: ") || hasFound(stage) }
  }

  private func hasFound(_ stage: EditStage) -> Bool {
    !stage.controller.presenter.session.findings.isEmpty
  }

  private func parts(_ stage: EditStage) -> [MediaTimeRange] {
    stage.controller.presenter.list.parts.map(\.range)
  }

  @Test func `then d lists what can be looked for, and numbers choose`() throws {
    let stage = try Self.stage()
    stage.press("d")
    let text = stage.text(100, 30)
    for line in ["1 [x] silence", "2 [x] black", "3 [ ] scenes"] { #expect(text.contains(line)) }
    stage.press("13")
    #expect(stage.text(100, 30).contains("1 [ ] silence"))
    #expect(stage.text(100, 30).contains("3 [x] scenes"))
    stage.press("q")
    #expect(!stage.text(100, 30).contains("silence"))
  }

  @Test func `when it is found, then it is listed and marked, and gaps are said`() async throws {
    let stage = try Self.stage()
    try await searching(stage)
    let text = stage.text(100, 30)
    #expect(text.contains("1 [x] silence   2 found"))
    #expect(text.contains("silence  00:20.000 – 00:22.000"))
    #expect(text.contains("not examined, since it cannot be decoded: 0:00:35.000"))
    stage.press("q")
    #expect(stage.text(100, 30).contains("▾"))
    #expect(stage.controller.notice == nil)
  }

  @Test func `when it is gone to, then the playhead is where it begins`() async throws {
    let stage = try Self.stage()
    try await searching(stage)
    stage.press("\"")
    #expect(stage.controller.presenter.playbackTime == MediaTime(20))
    _ = stage.controller.take(Key(.down))
    #expect(stage.controller.presenter.playbackTime == MediaTime(30))
    stage.press("q:")
    #expect(stage.controller.presenter.playbackTime == MediaTime(20))
    stage.press(":")
    #expect(stage.text(100, 30).contains("Nothing found before this."))
  }

  @Test func `when it is removed or kept, then one undo brings all back`() async throws {
    let stage = try Self.stage()
    try await searching(stage)
    stage.press("x")
    #expect(parts(stage).count == 3)
    #expect(parts(stage).first?.end == MediaTime(201, 10))
    #expect(stage.controller.notice == "3 parts: u undoes that.")
    stage.press("u")
    #expect(parts(stage) == [try Self.range(10, 50)])
    stage.press("dk")
    #expect(parts(stage) == [try Self.range(20, 22), try Self.range(30, 31)])
    stage.press("u")
    stage.press("d/")
    #expect(parts(stage).count == 3)
    stage.press("u")
    #expect(parts(stage) == [try Self.range(10, 50)])
    #expect(!stage.controller.presenter.canUndo)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `when it is removed, then what remains is what trim cut --remove keeps`(_ seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let parsed = ParsedArguments(positionals: [ArgumentText("walk.mp4")])
    let search = try #require(
      try CutSearch(parsed, removing: [.silence, .black], command: "cut"))
    var found = Findings(try Self.range(0, 60), search.options)
    for kind in [Finding.Kind.silence, .black] {
      var start = Int64.random(in: 0...9, using: &random)
      while start < 59 {
        let end = min(60, start + .random(in: 1...9, using: &random))
        found.findings.append(Finding(kind, try Self.range(start, end), score: nil))
        start = end + .random(in: 1...9, using: &random)
      }
    }
    let stage = try Self.stage()
    let part = stage.range
    let removed = try search.removals(found, in: [part])
    stage.controller.presenter.findingsDidArrive(found.shown)
    stage.controller.presenter.findingsDidRemove()
    #expect(parts(stage) == RangeSet([part]).subtracting(RangeSet(removed)).ranges)
  }

  @Test func `when nothing is chosen, then it says so`() throws {
    let stage = try Self.stage()
    stage.press("d12\r")
    #expect(stage.controller.notice == "Choose what to look for.")
  }

  @Test func `when Escape is pressed, then it stops looking`() async throws {
    let (stops, reported) = AsyncStream.makeStream(of: Bool.self)
    let stage = try EditStage(finds: { options, isCancelled in
      while !isCancelled() { usleep(2000) }
      reported.yield(true)
      return try Self.found(options)
    })
    stage.press("d\r")
    #expect(stage.text(100, 30).contains("Looking for silence, black: 0 s"))
    stage.press("\u{1B}")
    #expect(try await first("the end of the search", in: stops) { $0 })
    #expect(!stage.text(100, 30).contains("Looking for"))
    #expect(!hasFound(stage))
  }

  @Test func `when it fails, then it says why`() async throws {
    let stage = try EditStage(finds: { _, _ in throw VideoFailure("it has no audio") })
    stage.press("d\rq")
    try await stage.repaint { stage.text(100, 30).contains("Not found out: it has no audio") }
  }
}
