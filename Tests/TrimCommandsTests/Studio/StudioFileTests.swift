import CommandLineKit
import ExactTime
import Foundation
import MediaEngine
import Support
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given a sample that the studio has opened` {
  private let folder: TemporaryFolder
  private let file: StudioFile

  init() async throws {
    folder = try TemporaryFolder()
    file = try await Self.open(SampleClips.path("b-frames.mp4"), results: folder.root)
  }

  private static func tool() -> Tool {
    let nothing = CommandLineKit.OutputStream { (_) throws(CommandLineKit.OutputStream.Failure) in }
    return Tool(
      environment: .fixed([:]), out: nothing, err: nothing,
      traits: { _, color, isPlain in
        StreamTraits(
          isTerminal: false, terminalColumns: nil, color: color, isPlain: isPlain,
          environment: .fixed([:]))
      }, engine: .live(isCancelled: { false }))
  }

  private static func open(_ path: String, results: String) async throws -> StudioFile {
    var options = try StudioOptions(ParsedArguments())
    options.outputFolder = Array(results.utf8)
    let surroundings = StudioSurroundings(
      tool: tool(), options: options, flags: .inMemory(isClaimed: true))
    return try await StudioEntry(ArgumentText(path), in: surroundings).open()
  }

  private static func open(
    _ path: String, with project: ProjectFile
  ) async throws -> StudioFile {
    let input = try PlayInput(
      ArgumentText(path), part: PartExpression(), command: StudioOptions.command,
      asciiOnly: false)
    let surroundings = StudioSurroundings(
      tool: tool(), options: try StudioOptions(ParsedArguments()),
      flags: .inMemory(isClaimed: true))
    return try await StudioEntry(input, in: surroundings, project: project).open()
  }

  @Test func `when it is opened with the project of another file, then that is refused`()
    async throws
  {
    try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "clip.mp4")
    let clip = folder.path(of: "clip.mp4")
    let place = ProjectPlace(of: Array(clip.utf8), engine: Self.tool().engine)
    let bounds = try range(0, 4)
    for frames in [100, 99] {
      let list = TrimmingSession(
        video: TrimmingVideo(location: "", bounds: bounds), limit: .standard
      ).list
      let project = Project(
        bounds: bounds, frames: frames, list: list, limit: .standard,
        settings: StudioSettings(output: "clip-trimmed.mkv"))
      let path = try place.save(project, besides: Array(folder.path(of: "x.mkv").utf8))
      let file = try ProjectFile(
        reading: ArgumentText(path), sources: nil, with: Self.tool())
      if frames == 100 {
        #expect(try await Self.open(clip, with: file).project == file.project)
      } else {
        let failure = await #expect(throws: VideoFailure.self) {
          try await Self.open(clip, with: file)
        }
        #expect(failure?.message.contains("another file") == true)
      }
    }
  }

  private static func openedMedia(_ file: StudioFile) throws -> StudioMedia.Opened {
    guard case .file(let open) = file.media.source else { throw VideoFailure("it is in pieces") }
    return try open()
  }

  private func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
    try #require(MediaTimeRange(from: MediaTime(from), to: MediaTime(to)))
  }

  private func export(_ list: MediaTimeRange...) async throws -> [String] {
    let request = ExportRequest(
      id: 1, location: "b-frames.mp4", range: list[0], limit: .standard)
    return try await file.cutting.export.run(request) { _ in }
  }

  @Test func `then a still is the frame on screen, with its exact times`() async throws {
    let still = try await file.pictures.still(MediaTime(seconds: Rational(124, 100)), 320, 320)
    #expect(still.frame == 31)
    #expect(still.start == MediaTime(seconds: Rational(31, 25)))
    #expect(still.end == MediaTime(seconds: Rational(32, 25)))
    #expect(still.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func `when all of a file must be read, then its beginning is available earlier`()
    async throws
  {
    let path = Array(SampleClips.path("broadcast.ts").utf8)
    let whole = try Prober().probe(.file(path: path))
    let beginning = try await StudioResult(
      beginningOf: path, name: "broadcast.ts", tool: Self.tool(), length: 24_000)
    let all = try #require(whole.durations.presented)
    #expect(beginning.frames.count > 10)
    #expect(beginning.end < MediaTime(seconds: all.length.seconds))
    let first = try await beginning.pictures.still(.zero, 64, 64)
    #expect(first.frame == 0)
    let segment = try #require(
      try await beginning.pictures.segment(.sound, .made, range(0, 1)))
    #expect(!segment.bytes.isEmpty)
    // A browser that reads by itself gets the whole file.
    guard case .file(let open) = beginning.media.source else {
      Issue.record("it is in pieces")
      return
    }
    let served = try open()
    close(served.descriptor)
    #expect(Int64(served.size) == whole.byteCount)
  }

  @Test func `when a file is short, then it has no separate beginning`() async throws {
    await #expect(throws: VideoFailure.self) {
      try await StudioResult(
        beginningOf: Array(SampleClips.path("broadcast.ts").utf8), name: "broadcast.ts",
        tool: Self.tool())
    }
  }

  @Test func `then levels and strips are available for any stretch`() async throws {
    let whole = try await file.pictures.levels(file.video.bounds, 40)
    #expect(whole.count == 40)
    #expect(whole.contains { $0 > 20 })
    // A stretch past the end is silent and does not trap.
    #expect(try await file.pictures.levels(range(100, 200), 3) == [0, 0, 0])
    #expect(try await file.pictures.strip([.zero, MediaTime(2)], 48).starts(with: [0xFF, 0xD8]))
  }

  @Test func `then what is found is what the find command finds`() async throws {
    let work = try file.finding.work(
      .init(kinds: [.silence, .scene], thresholds: [.silenceFor: "0.01", .silenceLevel: "-30"]))
    let found = try await work { false }
    var parsed = ParsedArguments(positionals: [ArgumentText(SampleClips.path("b-frames.mp4"))])
    for (option, value) in [("silence-for", "0.01"), ("silence-level", "-30")] {
      parsed.note(ArgumentText(value), for: option)
    }
    for option in ["silence", "scenes"] { parsed.note(flag: option) }
    let command = try FindCommand(parsed)
    let input = try PlayInput(
      command.media.file, part: PartExpression(), command: "find", asciiOnly: false)
    let stated = try command.findings(in: input, with: Self.tool().desk).found
    #expect(!stated.findings.isEmpty)
    #expect(found.findings.map(\.range) == stated.findings.map(\.range))
    #expect(found.findings.map(\.kind.rawValue) == stated.findings.map(\.kind.rawValue))
    #expect(found.sentence == stated.options.sentence)
    #expect(Set(found.findings.map(\.id)).count == found.findings.count)
  }

  @Test func `then what can be looked for has the thresholds of the command, which it checks`() {
    #expect(file.finding.choices.map(\.kind) == [.silence, .black, .still, .scene, .fade])
    #expect(file.finding.choices.allSatisfy { $0.refusal == nil })
    #expect(
      file.finding.choices.flatMap(\.thresholds).map(\.usual) == ["-40", "0.5", "0", "2"])
    for wrong in ["loud", "3", "--json", ""] {
      #expect(throws: VideoFailure.self, "\(wrong)") {
        _ = try file.finding.work(.init(kinds: [.silence], thresholds: [.silenceLevel: wrong]))
      }
    }
  }

  @Test func `when a search is stopped, then it ends`() async throws {
    let work = try file.finding.work(.init(kinds: [.scene]))
    await #expect(throws: VideoFailure.self) { _ = try await work { true } }
  }

  @Test func `then a plan says what is re-encoded`() async throws {
    let outlook = try await file.cutting.outlook([TrimmingPart(id: 1, range: range(1, 3))], false)
    #expect(outlook.sentence.wholeMatch(of: /all 50 frames copied, [\d.]+ kB/) != nil)
  }

  @Test func `then the sizes of the parts add up to that of the plan`() async throws {
    let parts = [TrimmingPart(id: 1, range: try range(0, 1)), .init(id: 2, range: try range(1, 3))]
    for joins in [true, false] {
      let outlook = try await file.cutting.outlook(parts, joins)
      #expect(outlook.sizes.count == 2)
      #expect(outlook.sizes.allSatisfy { $0.wholeMatch(of: /about [\d.]+ kB/) != nil })
      #expect(outlook.sizes[0] != outlook.sizes[1])
    }
  }

  @Test func `when tracks and mode are chosen, then plan and file follow`() async throws {
    #expect(file.cutting.settings().tracks[0].words.hasPrefix("video, h264, 160x"))
    try file.cutting.change(.mode("reencode"))
    let outlook = try await file.cutting.outlook([TrimmingPart(id: 1, range: range(1, 3))], false)
    #expect(outlook.sentence.wholeMatch(of: /all 50 frames re-encoded, about [\d.]+ kB/) != nil)
    for text in ["", "99", "x"] {
      #expect(throws: VideoFailure.self) { try file.cutting.change(.tracks(text)) }
    }
    #expect(throws: VideoFailure.self) { try file.cutting.change(.mode("magic")) }
    #expect(file.cutting.settings().mode == .reencode)
  }

  @Test func `when a track is left out, then the file is without it`() async throws {
    let sound = try #require(file.cutting.settings().tracks.first { $0.words.hasPrefix("audio") })
    try file.cutting.change(.tracks("\(sound.id)"))
    #expect(file.cutting.settings().tracks.map(\.isWritten) == [false, true])
    _ = try await export(range(1, 2))
    let written = MediaInput.file(path: Array(folder.path(of: "b-frames-trimmed.mp4").utf8))
    #expect(try Prober().probe(written).tracks.map(\.kind) == [.audio])
  }

  @Test func `when results have the same name, then no file is replaced`() async throws {
    let first = try await export(range(1, 3))
    let bytes = try folder.bytes(of: "b-frames-trimmed.mp4")
    let second = try await export(range(2, 3))
    #expect(first.map { $0.split(separator: "/").last } == ["b-frames-trimmed.mp4"])
    #expect(second.map { $0.split(separator: "/").last } == ["b-frames-trimmed-2.mp4"])
    #expect(try folder.bytes(of: "b-frames-trimmed.mp4") == bytes)
    #expect(file.cutting.results().map(\.name) == ["b-frames-trimmed-2.mp4"])
  }

  @Test func `when the result is previewed, then any bytes of it match the file written later`()
    async throws
  {
    let chosen = try #require(
      MediaTimeRange(from: MediaTime(seconds: Rational(3, 5)), to: MediaTime(3)))
    let result = try await file.cutting.preview(
      [TrimmingPart(id: 1, range: chosen)], .standard, false)
    guard case .pieces(let size, let read) = result.media.source, !result.isWritten else {
      Issue.record("it was written")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root).isEmpty)
    _ = try await export(chosen)
    let written = try folder.bytes(of: "b-frames-trimmed.mp4")
    #expect(size == UInt64(written.count))
    #expect(try await read(0..<size) == written)
    for (from, to) in [(0, 1), (1, 900), (900, 5000), (written.count - 3, written.count)] {
      #expect(try await read(UInt64(from)..<UInt64(to)) == Array(written[from..<to]))
    }
    #expect(result.end == MediaTime(seconds: Rational(12, 5)))
    #expect(result.frames.count == 60)
    #expect(result.seams.allSatisfy { .zero < $0 && $0 < result.end })
  }

  @Test
  func `when the preview is a file, then it is the same as the written file`()
    async throws
  {
    let chosen = try #require(
      MediaTimeRange(from: MediaTime(seconds: Rational(3, 5)), to: MediaTime(3)))
    let result = try await file.cutting.preview(
      [TrimmingPart(id: 1, range: chosen)], .standard, true)
    guard case .file(let open) = result.media.source else {
      Issue.record("there is no file")
      return
    }
    let opened = try open()
    defer { close(opened.descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(opened.size))
    #expect(pread(opened.descriptor, &bytes, bytes.count, 0) == bytes.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root).isEmpty)
    _ = try await export(chosen)
    #expect(try folder.bytes(of: "b-frames-trimmed.mp4") == bytes)
    #expect(result.end == MediaTime(seconds: Rational(12, 5)))
    #expect(result.frames.count == 60)
    #expect(result.seams.allSatisfy { .zero < $0 && $0 < result.end })
    // Its pictures and sound can be requested as for every file.
    let first = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    #expect(try await result.pictures.still(.zero, 64, 64).frame == 0)
    for kind in [StudioPictures.Kind.video, .sound] {
      let made = try #require(try await result.pictures.segment(kind, .made, first))
      #expect(made.bytes.count > 1000)
      let copied = try #require(try await result.pictures.segment(kind, .copied, first))
      #expect(copied.type.contains("/mp4; codecs=") && copied.bytes.count > 1000)
    }
  }

  @Test func `when another name is chosen, then it decides the format that is written`()
    async throws
  {
    try file.cutting.change(.output("part.mkv"))
    #expect(file.cutting.settings().output == "part.mkv")
    _ = try await export(range(1, 2))
    #expect(try folder.bytes(of: "part.mkv").starts(with: [0x1A, 0x45, 0xDF, 0xA3]))
  }

  @Test(arguments: [
    "", "../out.mp4", "/tmp/out.mp4", ".hidden.mp4", "-o.mp4", "a\\b.mp4", "a\nb.mp4", "a\0b.mp4",
    "part", "part.txt", "part.mp4/", String(repeating: "a", count: 300) + ".mp4",
  ])
  func `when a name is invalid or leads elsewhere, then it is refused`(_ name: String) throws {
    #expect(throws: VideoFailure.self) { try file.cutting.change(.output(name)) }
    #expect(file.cutting.settings().output == "b-frames-trimmed.mp4")
  }

  @Test func `when the folder is gone, then the export says so`() async throws {
    try FileManager.default.removeItem(atPath: folder.root)
    await #expect(throws: (any Error).self) { try await export(range(1, 2)) }
  }

  @Test func `when the file is changed, then it is no longer served`() async throws {
    let copy = folder.path(of: "copy.mp4")
    try Data(SampleClips.bytes("b-frames.mp4")).write(to: URL(filePath: copy))
    let opened = try await Self.open(copy, results: folder.root)
    close(try Self.openedMedia(opened).descriptor)
    let handle = try FileHandle(forWritingTo: URL(filePath: copy))
    try handle.truncate(atOffset: 100)
    try handle.close()
    #expect(throws: VideoFailure.self) { try Self.openedMedia(opened) }
  }

  @Test func `when the file is removed, then it is still served`() async throws {
    let copy = folder.path(of: "copy.mp4")
    try Data(SampleClips.bytes("b-frames.mp4")).write(to: URL(filePath: copy))
    let opened = try await Self.open(copy, results: folder.root)
    try FileManager.default.removeItem(atPath: copy)
    #expect(throws: Never.self) { close(try Self.openedMedia(opened).descriptor) }
  }

  @Test(arguments: [
    ("1.5", Rational(3, 2)), ("31f", Rational(31, 25)), ("k2", Rational(1)), ("in", Rational(1)),
    ("-1", Rational(3)), ("end", Rational(4)),
  ])
  func `then times are parsed as everywhere`(_ text: String, _ wanted: Rational) throws {
    #expect(try file.words.time(text, range(1, 2)) == MediaTime(seconds: wanted))
  }

  @Test(arguments: ["", "soon", "1:99", String(repeating: "1", count: 41), "1\u{1F600}"])
  func `then an invalid time is refused with a message`(_ text: String) throws {
    #expect(throws: VideoFailure.self) { try file.words.time(text, range(1, 2)) }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given what the studio is told to open` {
  @Test func `then a folder stands for the media files in it, sorted by name`() throws {
    let folder = try TemporaryFolder()
    for name in ["b.mp4", "a.MKV", "notes.txt", ".hidden.mp4"] {
      try folder.write([1], to: name)
    }
    let files = try FolderListing.files([ArgumentText(folder.root)])
    #expect(files.map(\.text) == ["a.MKV", "b.mp4"].map { folder.path(of: $0) })
  }

  @Test func `then a folder without any is refused, with status 66`() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("studio", folder.root)
    #expect(run.status == 66)
    #expect(run.err.contains("no media files in"))
  }

  @Test func `then an invalid port is refused, and standard input, too`() {
    #expect(ToolRun("studio", "--port", "70000").status == 64)
    #expect(ToolRun("studio", "-").status == 64)
  }
}
