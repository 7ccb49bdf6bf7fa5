import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import Support
import Synchronization
import Testing
import Trimming

@testable import TrimCommands

/// `walk.mp4`, of which 10 to 50 s are selected, and `b.mp4`, which seems to be of the same length.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given trim edit and another file` {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = try folder.write(try SampleClips.bytes("b-frames.mp4"), to: "b.mp4")
  }

  private func stage(
    pictures: MediaPictures? = nil, failure: PlayedMedia.Failure? = nil
  ) throws -> EditStage {
    let engine = EnginePort(
      probe: { _, _, _ throws(MediaError) in throw MediaError(.inputMissing, "nothing") },
      open: EnginePort.openFile)
    let facts = PlayStage.facts
    let files = AddedFiles(
      sources: ScreenSources(Array("walk.mp4".utf8), engine: engine),
      load: { input in
        if let failure { return .failure(failure) }
        return Result { () throws(PlayedMedia.Failure) in
          try PlayedMedia(facts, location: input.location, part: input.part)
        }
      },
      show: { media, _ in
        PlayedFile(media, desk: pictures.map { PictureDesk($0, didArrive: {}) })
      }, asciiOnly: false)
    return try EditStage(pictures: pictures, files: files)
  }

  private func add(_ stage: EditStage, _ name: String) async throws {
    stage.press("O")
    #expect(stage.text(100, 30).contains("add the file: "))
    stage.press(name + "\r")
    try await stage.repaint { stage.controller.opening == nil }
  }

  private func parts(_ stage: EditStage) -> [String] {
    stage.controller.presenter.list.parts.map {
      "\($0.source) \($0.range.start.seconds)..\($0.range.end.seconds)"
    }
  }

  private func head(_ stage: EditStage) -> String {
    stage.text(100, 30).split(separator: "\n").first.map(String.init) ?? ""
  }

  @Test func `when O and a path are typed then a part of it follows, and it is shown`() async throws
  {
    let stage = try stage()
    try await add(stage, path)
    #expect(parts(stage) == ["0 10..50", "1 0..300"])
    #expect(head(stage).contains("b.mp4") && !head(stage).contains("walk.mp4"))
    let text = stage.text(100, 30)
    #expect(text.contains("Part 2 is of b.mp4. u undoes that."))
    #expect(text.contains("part 2 of 2, b.mp4") && text.contains("one file (J: a file each)"))
    #expect(stage.controller.presenter.playbackTime == .zero)
    stage.press("u")
    #expect(parts(stage) == ["0 10..50"])
    #expect(head(stage).contains("walk.mp4"))
  }

  @Test func `then parts of both are set, moved and deleted, each on its own timeline`()
    async throws
  {
    let stage = try stage()
    try await add(stage, path)
    stage.press("g20\rig25\ro")
    #expect(parts(stage) == ["0 10..50", "1 20..25"])
    stage.press("+(")
    #expect(head(stage).contains("walk.mp4"))
    #expect(stage.controller.play.file.window.isWhole, "the zoom is that of the other file")
    let timeline = stage.text(100, 30).split(separator: "\n").first { $0.contains("╡") } ?? ""
    #expect(timeline.contains("1") && !timeline.contains("2"), "only its own parts are drawn")
    stage.press("}")
    #expect(parts(stage) == ["1 20..25", "0 10..50"])
    stage.press("x")
    #expect(parts(stage) == ["1 20..25"] && head(stage).contains("b.mp4"))
    #expect(stage.press("q") == .none && stage.controller.question == .quit)
  }

  @Test func `when it is added again, or the first file is, then no file is read twice`()
    async throws
  {
    let stage = try stage()
    try await add(stage, path)
    try await add(stage, path + "#t=5,10")
    try await add(stage, "walk.mp4#t=1,2")
    #expect(parts(stage) == ["0 10..50", "1 0..300", "1 5..10", "0 1..2"])
    #expect(stage.controller.presenter.session.sources.count == 2)
  }

  @Test func `then a cut joins them, and what was written is this list`() async throws {
    let stage = try stage()
    try await add(stage, path + "#t=5,10")
    let states = stage.controller.presenter.events.subscribe()
    stage.press("\r")
    _ = try await EditStage.written(states)
    let request = try #require(stage.orders.request)
    #expect(request.parts.map(\.source) == [0, 1])
    #expect(stage.text(100, 30).contains("Done: wrote"))
    #expect(stage.press("q") == .quit)
  }

  @Test func `then L lists each part with its file, and why one is re-encoded`() async throws {
    let stage = try stage()
    try await add(stage, path + "#t=5,10")
    stage.press("g7\r")
    try await stage.repaint { stage.text(160, 30).contains("b.mp4: its size is 640x360") }
    stage.press("L")
    let lines = stage.controller.model.partLines
    #expect(lines[0].hasSuffix("  walk.mp4") && lines[1].hasSuffix("  b.mp4"))
    #expect(lines.last == "b.mp4: its size is 640x360, not 1920x1080")
    #expect(stage.text(100, 30).contains("joined into one file: 45.000 s"))
    stage.press("qT")
    #expect(stage.text(100, 30).contains("Tracks of walk.mp4, and mode"))
  }

  @Test func `when it cannot be opened then its name is said, and nothing changes`() async throws {
    let failure = PlayedMedia.Failure(
      message: "this is no media file", hint: "Try another.", status: .badData)
    let stage = try stage(failure: failure)
    try await add(stage, path)
    #expect(stage.text(100, 30).contains("b.mp4 was not added: this is no media file."))
    #expect(stage.text(100, 30).contains("Try another."))
    #expect(parts(stage) == ["0 10..50"])
    #expect(stage.controller.presenter.session.sources.count == 1)
    stage.press("qO-\r")
    #expect(stage.controller.notice?.contains("not from standard input") == true)
    try await add(stage, path + "#t=400,500")
    #expect(parts(stage) == ["0 10..50"])
  }

  @Test func `then pictures are those of the file that is shown`() async throws {
    let times = Mutex<[MediaTime]>([])
    let pictures = MediaPictures(picture: { time, _, _ in
      times.withLock { $0.append(time) }
      return GrabbedPicture(
        frame: PresentedFrame(number: 0, start: time, end: time),
        picture: Picture(width: 1, height: 1, pixels: [1, 2, 3]))
    })
    let stage = try stage(pictures: pictures)
    try await add(stage, path)
    let own = stage.controller.play.file.desk
    stage.press("(")
    #expect(own != nil && stage.controller.play.file.desk !== own)
    stage.press(")")
    #expect(stage.controller.play.file.desk === own)
  }
}
