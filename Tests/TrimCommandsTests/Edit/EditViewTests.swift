import CommandLineKit
import ExactTime
import MediaEngine
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite struct `Given the screen of trim edit` {
  enum Place: String, CaseIterable, Sendable {
    case usual = "80x24"
    case least = "60x16"
    case wide = "130x40"
    case large = "200x60"
    case small = "40x8"
    case tiny = "20x4"

    var size: Size {
      switch self {
      case .usual: Size(columns: 80, rows: 24)
      case .least: Size(columns: 60, rows: 16)
      case .wide: Size(columns: 130, rows: 40)
      case .large: Size(columns: 200, rows: 60)
      case .small: Size(columns: 40, rows: 8)
      case .tiny: Size(columns: 20, rows: 4)
      }
    }
  }

  /// With pictures of one colour, a strip and levels that rise.
  private func model(_ stage: EditStage) -> EditModel {
    var model = stage.controller.editModel
    let picture = Picture(
      width: 64, height: 36, pixels: [UInt8](repeating: 128, count: 64 * 36 * 3))
    model.content.hasPictures = true
    model.content.hasSound = true
    model.play.hasSound = true
    model.play.picture = picture
    model.strip = Array(repeating: picture, count: 4)
    model.play.levels = (0..<2000).map { Float($0) / 2000 }
    model.play.levelRange = MediaTimeRange(from: .zero, to: MediaTime(300))
    model.outlook = CutOutlook(frames: 1199, encodedFrames: 47, edges: 2).sentence
    return model
  }

  private func expect(_ model: EditModel, _ name: String, _ place: Place) throws {
    let canvas = EditView(model: model).canvas(size: place.size)
    try expectGolden(canvas.text + "\n", "edit-\(name)-\(place.rawValue).txt")
  }

  @Test(arguments: Place.allCases)
  func `everything that a cut needs is on it`(_ place: Place) throws {
    try expect(model(EditStage()), "ready", place)
  }

  @Test func `at Out both distances refer to the last frame that is shown`() throws {
    let stage = try EditStage(from: "1", to: "10.01")
    var model = model(stage)
    model.play.handle = .outPoint
    model.play.frames = try #require(
      FrameInstants(first: .zero, frameLength: MediaDuration(1001, 30000), count: 9000))
    // A keyframe that begins at Out counts as the next one.
    model.play.keyframes = FrameInstants([.zero, MediaTime(1001, 100)])
    let text = EditView(model: model).canvas(size: Place.usual.size).text
    #expect(text.contains("frame 299   keyframe -299 / +1"))
  }

  @Test func `a handle shows the file's own timecode, which can be typed back`() throws {
    let stage = try EditStage(from: "10.01", to: "20.02")
    var model = model(stage)
    #expect(model.play.labels == nil)
    var context = TimelineContext(presented: nil)
    context.frameRate = Rational(30000, 1001)
    context.startTimecode = TimecodeLabel(stored: "01:00:00:00")
    model.play.labels = FrameLabels(context)
    for (handle, timecode) in [
      (Handle.inPoint, "01:00:10:00   frame 300   keyframe"),
      (.outPoint, "01:00:20:00   frame 599   keyframe"),
    ] {
      model.play.handle = handle
      let text = EditView(model: model).canvas(size: Place.usual.size).text
      #expect(text.contains(timecode), "\(text)")
    }
    let least = EditView(model: model).canvas(size: Place.least.size).text
    #expect(least.contains("01:00:20:00   frame 599"), "\(least)")
    let play = PlayView(model: model.play).canvas(size: Place.usual.size).text
    #expect(play.contains("0:00:10.010   01:00:10:00   frame 300"), "\(play)")
    #expect(play.contains("01:00:20:00   last frame 599"), "\(play)")
  }

  @Test(arguments: Place.allCases)
  func `a range that is too long shows the excess`(_ place: Place) throws {
    let stage = try EditStage(from: "10", to: "70.6")
    try expect(model(stage), "too-long", place)
  }

  @Test(arguments: Place.allCases)
  func `the tutorial covers it on the first visit`(_ place: Place) throws {
    try expect(model(EditStage(isFirstVisit: true)), "tutorial", place)
  }

  @Test(arguments: [Place.usual, .least])
  func `without color there are words in place of pictures`(_ place: Place) throws {
    let stage = try EditStage()
    try expect(stage.controller.editModel, "words", place)
  }

  @Test(arguments: [Place.usual, .small, .tiny])
  func `a file with only audio has its levels in place of pictures`(_ place: Place) throws {
    var model = model(try EditStage())
    model.content.hasPictures = false
    model.strip = []
    model.play.picture = nil
    model.play.frames = .unknown
    model.play.keyframes = .unknown
    model.outlook = CutOutlook(frames: 0, audio: 1).sentence
    try expect(model, "sound", place)
  }

  @Test(arguments: [Place.usual, .small, .tiny])
  func `a long name of wide characters is truncated with an ellipsis`(_ place: Place) throws {
    var model = model(try EditStage())
    let name = String(repeating: "北海道から沖縄まで", count: 5)
    guard case .ready(var ready) = model.play.screen else {
      Issue.record("the clip is not ready")
      return
    }
    ready.location = name + ".mp4"
    model.play.screen = .ready(ready)
    model.target = name + "-trimmed.mp4"
    try expect(model, "wide-name", place)
  }

  @Test func `a cut shows its progress`() throws {
    var model = model(try EditStage())
    guard case .ready(var ready) = model.play.screen else {
      Issue.record("the clip is not ready")
      return
    }
    ready.exportState = .exporting(id: 1, fraction: Rational(57, 100))
    model.play.screen = .ready(ready)
    #expect(
      EditView(model: model).canvas(size: Place.usual.size).text.contains("Cutting: 57 %"))
  }

  @Test func `an alert stays until a key`() throws {
    var model = model(try EditStage())
    guard case .ready(var ready) = model.play.screen else {
      Issue.record("the clip is not ready")
      return
    }
    ready.alert = TrimmingAlert("the disk is full")
    model.play.screen = .ready(ready)
    #expect(
      EditView(model: model).canvas(size: Place.usual.size).text
        .contains("Not cut: the disk is full"))
  }

  @Test func `the forecast of a cut is a phrase`() {
    #expect(
      CutOutlook(frames: 4300, encodedFrames: 47, edges: 2).sentence
        == "2 edges, 47 frames re-encoded, 98.9 % copied")
    #expect(
      CutOutlook(frames: 100, encodedFrames: 1, edges: 1).sentence
        == "1 edge, 1 frame re-encoded, 99.0 % copied")
    #expect(CutOutlook(frames: 100).sentence == "all 100 frames copied")
    var known = CutOutlook(frames: 100, encodedFrames: 100)
    (known.bytes, known.lost) = (12_400_000, [.data])
    #expect(known.sentence == "all 100 frames re-encoded, about 12.4 MB, 1 track left out")
    known.lost = [.subtitle]
    #expect(known.sentence.hasSuffix("subtitles left out"))
  }

  @Test func `the forecast says what happens to the audio`() {
    #expect(CutOutlook(frames: 0, audio: 1).sentence == "all audio copied")
    var known = CutOutlook(frames: 100, audio: 2)
    #expect(known.sentence == "all 100 frames copied", "copied audio is not mentioned")
    known.audioEncoded = 1
    #expect(known.sentence == "all 100 frames copied, 1 of 2 audio tracks re-encoded")
    (known.frames, known.audio, known.audioCodecs) = (0, 1, ["mp3"])
    #expect(known.sentence == "all audio re-encoded as mp3")
    (known.audioEncoded, known.audioEdges, known.audioCodecs) = (0, 1, [])
    #expect(known.sentence == "edges of the audio re-encoded")
    (known.files, known.bytes, known.lost) = (3, 100_000, [.video])
    #expect(
      known.sentence == "3 files, edges of the audio re-encoded, about 100.0 kB, video left out")
  }

  /// Which colour sequences are written at a depth, and which are not.
  struct Depth: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let depth: ColorDepth
    let colors: [String]
    let absent: [String]
  }

  nonisolated static let depths = [
    Depth(
      testDescription: "truecolor", depth: .trueColor,
      colors: ["48;2;128;128;128", "38;2;175;95;95", "38;2;0;135;95"],
      absent: ["8;5;"]),
    Depth(
      testDescription: "256 colours", depth: .twoHundredFiftySix,
      colors: ["48;5;244", "38;5;131", "38;5;29"], absent: ["8;2;"]),
    Depth(
      testDescription: "no colours", depth: .none, colors: [],
      absent: ["8;2;", "8;5;", "32m", "33m"]),
  ]

  @Test(arguments: depths, Place.allCases)
  func `any color depth shows the same words at every size`(
    _ depth: Depth, _ place: Place
  ) throws {
    var model = model(try EditStage())
    model.play.look.palette = Palette(depth: depth.depth)
    let canvas = EditView(model: model).canvas(size: place.size)
    let painter = Painter(depth: depth.depth, isUTF8: true)
    let bytes = String(
      decoding: painter.bytes(painting: canvas, over: nil), as: UTF8.self)
    #expect(bytes.contains("OK: under") == canvas.text.contains("OK: under"))
    for absent in depth.absent { #expect(!bytes.contains(absent)) }
    guard place == .usual || place == .least || place == .large else { return }
    for color in depth.colors { #expect(bytes.contains(color)) }
  }

  @Test func `a screen that is too small says so, and how large it must be`() throws {
    let stage = try EditStage()
    #expect(!stage.text(40, 8).contains("too small"))
    for (columns, rows) in [(39, 8), (40, 7), (16, 1)] {
      #expect(stage.text(columns, rows).contains("too small: 40x8"))
    }
  }

  /// Sizes at the limits of every layout, and absurd ones.
  nonisolated static let sizes = [
    (1, 1), (1, 60), (200, 1), (39, 24), (40, 7), (40, 8), (40, 9), (59, 16), (60, 15), (60, 16),
    (60, 22), (80, 40), (4096, 2), (3, 512),
  ]

  @Test(arguments: sizes)
  func `any size gets a screen, and the mouse never traps anywhere on it`(
    _ columns: Int, _ rows: Int
  ) throws {
    let size = Size(columns: columns, rows: rows)
    let stage = try EditStage(isFirstVisit: true)
    for keys in ["", "?", "?g1", "\r", "+z"] {
      stage.press(keys)
      let canvas = EditView(model: model(stage)).canvas(size: size)
      #expect(canvas.size == size)
      #expect(canvas.text.contains { $0 != " " && $0 != "\n" })
    }
    for place in [Position(column: 0, row: 0), Position(column: 9000, row: rows / 2)] {
      for action in [Mouse.Action.press, .drag, .release, .wheelUp] {
        stage.controller.take(Mouse(action, .left, at: place), on: size)
      }
    }
  }
}

@Suite struct `Given a choice to print` {
  private func text(
    _ choice: EditOptions.Choice, to: MediaTime = MediaTime(1001, 30), path: String = "a b.mp4",
    others: [MediaTimeRange] = [], joins: Bool = false, settings: CutSettings = CutSettings(),
    ofOther: MediaTimeRange? = nil
  ) throws -> String {
    let range = try #require(MediaTimeRange(from: MediaTime(21, 2), to: to))
    var session = TrimmingSession(
      video: TrimmingVideo(
        duration: MediaDuration(300), location: path, initialRange: range))
    _ = session.handle(.videoDidLoad(VideoTimings()))
    for other in others { _ = session.handle(.partDidAdd(range: other)) }
    if let ofOther {
      let source = TrimmingSource(location: "b.mp4", bounds: ofOther)
      _ = session.handle(.sourceDidAdd(source))
      _ = session.handle(.partDidAppend(source: 1, range: nil))
    }
    _ = session.handle(.joinDidChange(joins))
    let list = session.list
    return String(
      decoding: EditDecision(
        list: list, files: [Array(path.utf8), Array("b.mp4".utf8)],
        target: EditTarget(Array("it's.mp4".utf8), replaces: false, asciiOnly: false),
        settings: settings, verdict: .valid
      ).text(as: choice), as: UTF8.self)
  }

  @Test func `a command has the chosen cut options`() throws {
    var settings = CutSettings()
    settings.mode = .copy
    settings.tracks = TrackChoice(kinds: [.video], ids: [3, 2])
    #expect(
      try text(.command, settings: settings)
        == "trim cut 'a b.mp4' --from 10.5 --to 1001/30 --mode copy --tracks video,2,3 "
        + "-o 'it'\\''s.mp4'\n")
  }

  @Test func `a range parses back to the same instants`() throws {
    #expect(try text(.range) == "10.5..1001/30\n")
  }

  @Test func `a command is safe for the shell, whatever the names`() throws {
    #expect(
      try text(.command)
        == #"trim cut 'a b.mp4' --from 10.5 --to 1001/30 -o 'it'\''s.mp4'"# + "\n")
    #expect(try text(.command, path: "-x.mp4").hasPrefix("trim cut './-x.mp4' "))
  }

  @Test func `several parts are all listed, and whether they are joined`() throws {
    let other = try #require(MediaTimeRange(from: MediaTime(100), to: MediaTime(110)))
    #expect(try text(.range, others: [other]) == "10.5..1001/30\n100..110\n")
    let command = try text(.command, others: [other], joins: true)
    #expect(command.contains("--keep 10.5..1001/30 --keep 100..110 --join -o "))
    #expect(try text(.json, others: [other]).contains(#""joined":false"#))
  }

  @Test func `parts of several files are arguments of a join, or a cut for each`() throws {
    let other = try #require(MediaTimeRange(from: .zero, to: MediaTime(4)))
    #expect(try text(.range, ofOther: other) == "a b.mp4#t=10.5,1001/30\nb.mp4#t=0,4\n")
    var settings = CutSettings()
    settings.tracks = TrackChoice(ids: [1])
    #expect(
      try text(.command, joins: true, settings: settings, ofOther: other)
        == "trim join 'a b.mp4#t=10.5,1001/30' 'b.mp4#t=0,4' --tracks 1 --like 'a b.mp4' "
        + "-o 'it'\\''s.mp4'\n")
    #expect(
      try text(.command, settings: settings, ofOther: other)
        == "trim cut 'a b.mp4' --from 10.5 --to 1001/30 --tracks 1 -o 'it'\\''s-1.mp4'\n"
        + "trim cut 'b.mp4' --from 0 --to 4 -o 'it'\\''s-2.mp4'\n")
    let json = try text(.json, ofOther: other)
    #expect(json.contains(#""source":1"#) && json.contains(#""inputs":["a b.mp4","b.mp4"]"#))
  }

  @Test func `JSON has the exact values and the verdict`() throws {
    let json = try text(.json)
    #expect(json.contains(#""from":{"value":"21/2","seconds":10.5}"#))
    #expect(json.contains(#""is_video_length_valid":true"#))
    #expect(json.hasSuffix("}\n"))
  }
}

extension CutOutlook {
  /// What a test says about a cut.
  init(frames: Int, encodedFrames: Int = 0, edges: Int = 0, audio: Int = 0) {
    self.init()
    (self.frames, self.encodedFrames, self.edges) = (frames, encodedFrames, edges)
    self.audio = audio
  }
}
