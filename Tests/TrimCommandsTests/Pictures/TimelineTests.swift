import ExactTime
import Support
import Testing

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given the timeline command` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ words: [String], into name: String = "clip.svg") throws -> Program {
    let trim = try #require(Binary.path)
    let all = ["trim", "timeline"] + words + ["-o", folder.path(of: name)]
    return try Program.run(trim, all.map { Array($0.utf8) })
  }

  static let drawings: [(String, [String], String)] = [
    ("open-gop.mp4", [], "timeline-open-gop.svg"),
    ("b-frames.mp4", ["--from", "1.5", "--to", "3"], "timeline-part.svg"),
    ("chapters.mkv", ["--width", "600"], "timeline-chapters.svg"),
  ]

  @Test(arguments: drawings)
  func `when a file is drawn then the drawing is unchanged`(
    _ name: String, _ words: [String], _ golden: String
  ) throws {
    // The displayed name is the given one.
    try folder.write(try SampleClips.bytes(name), to: name)
    let run = try timeline([folder.path(of: name)] + words)
    #expect(run.status == 0)
    let text = String(decoding: try folder.bytes(of: "clip.svg"), as: UTF8.self)
    try expectGolden(text.replacing(folder.root + "/", with: ""), golden)
  }

  @Test func `when names and titles contain markup then it is shown and not interpreted`() throws {
    let name = "a<b>&\"c\".mp4"
    try folder.write(try SampleClips.bytes("silent.mp4"), to: name)
    #expect(try timeline([folder.path(of: name)]).status == 0)
    let read = try Program.shell(
      "python3 -c 'import sys, xml.dom.minidom as m; "
        + "print(m.parse(sys.argv[1]).getElementsByTagName(\"title\")[0].firstChild.data)' \"$1\"",
      [Array(folder.path(of: "clip.svg").utf8)])
    #expect(read.outText == "Timeline of \(folder.path(of: name))\n")
  }

  static let axes: [(Int64, Int64, [String])] = [
    (0, 5, ["0", "0.05", "0.1"]), (0, 40, ["0", "0.5", "1"]), (300, 950, ["30", "40", "50"]),
    (35_990, 73_000, ["1:00:00", "1:10:00", "1:20:00"]), (-12, 20, ["-1", "-0.5", "0"]),
  ]

  @Test(arguments: axes)
  func `when the axis is drawn then its labels are at most a dozen round times`(
    _ start: Int64, _ end: Int64, _ labels: [String]
  ) throws {
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(start, 10), to: MediaTime(end, 10)))
    let ticks = TimeScale(range: range, left: 0, width: 1000).ticks
    #expect(ticks.count <= 13)
    #expect(ticks.prefix(3).map(TimeScale.label) == labels)
  }

  @Test func `when it cannot be done then the status says why, and nothing is written`() throws {
    #expect(try timeline([SampleClips.path("not-media.mp4")]).status == 65)
    #expect(try timeline([SampleClips.path("silent.mp4")], into: "clip.png").status == 64)
    #expect(throws: (any Error).self) { try folder.bytes(of: "clip.svg") }
  }
}
