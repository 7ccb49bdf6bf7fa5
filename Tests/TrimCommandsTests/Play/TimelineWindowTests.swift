import ExactTime
import Testing

@testable import TrimCommands

@Suite struct `Given a timeline of a file` {
  private var window: TimelineWindow

  init() throws {
    window = TimelineWindow(
      bounds: try #require(MediaTimeRange(from: .zero, to: MediaTime(100))))
  }

  @Test(arguments: [
    (MediaTime.zero, 0), (MediaTime(199, 100), 0), (MediaTime(2), 1), (MediaTime(50), 25),
    (MediaTime(9999, 100), 49), (MediaTime(100), 49),
  ])
  func `an instant falls into its column, and the end into the last`(
    _ time: MediaTime, _ column: Int
  ) {
    #expect(window.column(of: time, columns: 50) == column)
  }

  @Test func `an instant that is not shown has no column`() {
    #expect(window.column(of: MediaTime(-1), columns: 50) == nil)
    #expect(window.column(of: MediaTime(101), columns: 50) == nil)
  }

  @Test mutating func `zooming stays inside the file, and zooming out shows all again`() {
    window.zoomIn(around: MediaTime(90))
    #expect(window.shown == MediaTimeRange(from: MediaTime(50), to: MediaTime(100)))
    window.zoomIn(around: MediaTime(60))
    #expect(window.shown == MediaTimeRange(from: MediaTime(95, 2), to: MediaTime(145, 2)))
    window.zoomOut(around: MediaTime(0))
    window.zoomOut(around: MediaTime(0))
    #expect(window.isWhole)
  }

  @Test mutating func `zooming in stops at a tenth of a second`() {
    for _ in 0..<100 { window.zoomIn(around: MediaTime(1, 3)) }
    #expect(window.shown.length == MediaDuration(1, 10))
  }

  @Test func `a file near the limits of 64 bits never traps`() throws {
    let far = MediaTime(Int64.max - 1)
    var window = TimelineWindow(bounds: try #require(MediaTimeRange(from: .zero, to: far)))
    for time in [.zero, MediaTime(1, Int64.max), far] {
      window.zoomIn(around: time)
      window.zoomOut(around: time)
      window.fit(window.shown)
      _ = window.column(of: time, columns: 80)
    }
  }
}
