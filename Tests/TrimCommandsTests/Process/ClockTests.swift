import FoundationEssentials
import Testing

/// A time-of-day clock jumps when it is set; a monotonic one does not.
@Suite(.timeLimit(.minutes(1)))
struct `Given deadlines and playback` {
  private static let wallClocks = [
    "Date()", "CLOCK_REALTIME", "gettimeofday(", "time(nil)", "time(NULL)", "DispatchWallTime",
    "wallDeadline", "CLOCK_TAI",
  ]

  /// How many days ago a file was written is a matter of dates.
  private static let dating = ["TrimCommands/Studio/WorkPort+State.swift"]

  @Test func `then no source file reads a clock that can be set`() throws {
    let folder = Repository.root.appending(path: "Sources").path()
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
      .filter { !Self.dating.contains($0) }
    #expect(files.count > 100, "the sources were found")
    for file in files {
      let text = String(
        decoding: try Data(contentsOf: URL(filePath: folder).appending(path: file)), as: UTF8.self)
      for clock in Self.wallClocks {
        #expect(!text.contains(clock), "\(file) names \(clock)")
      }
    }
  }
}
