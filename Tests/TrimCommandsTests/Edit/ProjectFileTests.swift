import CommandLineKit
import ExactTime
import Glibc
import Isolation
import MediaEngine
import Support
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given a project that is saved` {
  private let folder: TemporaryFolder
  private let engine: EnginePort

  /// `clip.mp4`, of 4 s.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "clip.mp4")
    engine = EnginePort(
      probe: { _, _, _ throws(MediaError) in throw MediaError(.inputMissing, "nothing") },
      open: EnginePort.openFile)
  }

  private var tool: Tool {
    let stream = OutputStream { (_) throws(OutputStream.Failure) in }
    return Tool(
      environment: .fixed([:]), out: stream, err: stream,
      traits: { _, color, isPlain in
        StreamTraits(
          isTerminal: false, terminalColumns: nil, color: color, isPlain: isPlain,
          environment: .fixed([:]))
      }, engine: engine, interruption: { 0 })
  }

  private func saved() throws -> (project: Project, path: String) {
    let session = TrimmingSession(
      video: TrimmingVideo(duration: MediaDuration(4), location: ""), limit: .standard)
    let project = Project(
      bounds: session.bounds, frames: 100, list: session.list, limit: .standard,
      settings: StudioSettings(output: "clip-trimmed.mkv"))
    let place = ProjectPlace(of: Array(folder.path(of: "clip.mp4").utf8), engine: engine)
    let output = Array(folder.path(of: "clip-trimmed.mkv").utf8)
    let shown = try place.save(project, besides: output)
    #expect(try place.save(project, besides: output) == shown, "it is saved there again")
    return (project, shown)
  }

  private func opened(
    _ path: String, sources: String? = nil
  ) throws(PlayedMedia.Failure) -> ProjectFile {
    try ProjectFile(
      reading: ArgumentText(path), sources: sources.map { Array($0.utf8) }, with: tool)
  }

  @Test func `then it is beside the output, and opens its file`() throws {
    let (project, path) = try saved()
    #expect(path == folder.path(of: "clip-trimmed.trimproject"))
    let file = try opened(path)
    #expect(String(decoding: file.source, as: UTF8.self).hasSuffix("/clip.mp4"))
    #expect(file.output == Array(folder.path(of: "clip-trimmed.mkv").utf8))
    #expect(file.project.list.sources[0].hint == "clip.mp4")
    let size = Int64(try folder.bytes(of: "clip.mp4").count)
    #expect(file.project.list.sources[0].identity?.size == size)
    var same = file.project
    same.list.sources = project.list.sources
    #expect(same == project)
    let other = try ProjectPlace(of: file.source, engine: engine).save(
      project, besides: Array(folder.path(of: "clip-trimmed.mkv").utf8))
    #expect(other.hasSuffix("clip-trimmed-2.trimproject"), "another screen replaces nothing")
  }

  @Test func `when its file is another one then it is refused`() throws {
    let (_, path) = try saved()
    try folder.write(try SampleClips.bytes("ntsc.mp4"), to: "clip.mp4")
    let failure = #expect(throws: PlayedMedia.Failure.self) { try opened(path) }
    #expect(failure?.message.contains("another file than the one that the project is of") == true)
    #expect(failure?.status == .badData)
  }

  @Test func `when its file is elsewhere then the folder is named, and nowhere else is looked`()
    throws
  {
    let (_, path) = try saved()
    let elsewhere = try TemporaryFolder()
    let failure = #expect(throws: PlayedMedia.Failure.self) {
      try opened(path, sources: elsewhere.root)
    }
    #expect(failure?.status == .noInput && failure?.hint?.contains("--sources") == true)
    try elsewhere.write(try SampleClips.bytes("b-frames.mp4"), to: "clip.mp4")
    #expect(try opened(path, sources: elsewhere.root).project == opened(path).project)
  }

  @Test func `when it is of several files then all are found, or it is refused`() throws {
    try folder.write(try SampleClips.bytes("ntsc.mp4"), to: "b.mp4")
    let (clip, other) = (folder.path(of: "clip.mp4"), folder.path(of: "b.mp4"))
    let sources = ScreenSources(Array(clip.utf8), engine: engine)
    try sources.identify(Array(other.utf8))
    let bounds = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    sources.append(Array(other.utf8), bounds)
    let list = try #require(
      PartList([.init(id: 1, range: bounds), .init(id: 2, range: bounds, source: 1)], joins: true))
    let project = Project(
      bounds: bounds, frames: 100, list: list, sources: sources.stated, limit: .standard,
      settings: StudioSettings(output: "clip-trimmed.mkv"))
    let path = try ProjectPlace(of: Array(clip.utf8), engine: engine).save(
      project, besides: Array(folder.path(of: "clip-trimmed.mkv").utf8))
    let text = String(
      decoding: try folder.bytes(of: "clip-trimmed.trimproject"), as: UTF8.self)
    #expect(!text.contains(folder.root), "it can be moved with its files")
    let file = try opened(path)
    #expect(
      file.sources.map { String(decoding: $0, as: UTF8.self) }.map { $0.suffix(6) } == [
        "ip.mp4", "/b.mp4",
      ])
    #expect(file.project.list.parts.map(\.source) == [0, 1])

    // What the state directory keeps is found in the same way.
    #expect(try sources.located(project.others) { _ in true } == [Array(other.utf8)])
    var failure: VideoFailure? = #expect(throws: VideoFailure.self) {
      try sources.located(project.others) { _ in false }
    }
    #expect(failure?.message == "b.mp4, which it has parts of, is outside this studio's folders.")

    try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "b.mp4")
    let refusal = #expect(throws: PlayedMedia.Failure.self) { try opened(path) }
    #expect(refusal?.message.contains("b.mp4 is another file than the one") == true)
    failure = #expect(throws: VideoFailure.self) {
      try sources.located(project.others) { _ in true }
    }
    #expect(failure?.message.contains("b.mp4 is another file than the one") == true)
    unlink(folder.path(of: "b.mp4"))
    let missing = #expect(throws: PlayedMedia.Failure.self) { try opened(path) }
    #expect(missing?.message.contains("there is no 'b.mp4' below") == true)
  }

  @Test func `when one of its files is not below its folder then it is not saved`() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.write(try SampleClips.bytes("ntsc.mp4"), to: "b.mp4")
    let (clip, other) = (folder.path(of: "clip.mp4"), elsewhere.path(of: "b.mp4"))
    let sources = ScreenSources(Array(clip.utf8), engine: engine)
    try sources.identify(Array(other.utf8))
    let bounds = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    sources.append(Array(other.utf8), bounds)
    let list = try #require(
      PartList([.init(id: 1, range: bounds), .init(id: 2, range: bounds, source: 1)], joins: true))
    let project = Project(
      bounds: bounds, frames: 100, list: list, sources: sources.stated, limit: .standard,
      settings: StudioSettings(output: "clip-trimmed.mkv"))
    let place = ProjectPlace(of: Array(clip.utf8), engine: engine)
    let failure = #expect(throws: VideoFailure.self) {
      try place.save(project, besides: Array(folder.path(of: "clip-trimmed.mkv").utf8))
    }
    #expect(failure?.message.contains("b.mp4 is not below its folder") == true)
  }

  @Test(arguments: ["", "{}", "[]", "{\"version\": 9}", "{\"version\": 2}", "no JSON"])
  func `when it is none then that is said`(_ text: String) throws {
    try folder.write(Array(text.utf8), to: "a.trimproject")
    let failure = #expect(throws: PlayedMedia.Failure.self) {
      try opened(folder.path(of: "a.trimproject"))
    }
    #expect(failure?.message.hasPrefix("it is not a project: ") == true)
  }
}
