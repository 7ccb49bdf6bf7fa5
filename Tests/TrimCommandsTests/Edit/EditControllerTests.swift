import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Support
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given the keys of trim edit` {
  @Test func `it opens paused, with the requested part`() throws {
    let stage = try EditStage()
    #expect(!stage.controller.presenter.isPlaying)
    #expect(stage.range == MediaTimeRange(from: MediaTime(10), to: MediaTime(50)))
  }

  @Test func `in and out are set at the playhead, which g moves`() throws {
    let stage = try EditStage()
    stage.press("g20\rig1:01\ro")
    #expect(stage.range == MediaTimeRange(from: MediaTime(20), to: MediaTime(61)))
  }

  @Test func `the picture at out is the last frame that the cut keeps`() async throws {
    let last = MediaTime(1499 * 1001, 30000)
    let pictures = MediaPictures(picture: { time, _, _ in
      let brightness: UInt8 = time == last ? 200 : 100
      return GrabbedPicture(
        frame: PresentedFrame(number: 0, start: time, end: time),
        picture: Picture(width: 1, height: 1, pixels: [brightness, brightness, brightness]))
    })
    let stage = try EditStage(to: "1500f", pictures: pictures)
    func brightness() -> UInt8? {
      _ = stage.controller.canvas(size: Size(columns: 80, rows: 24))
      return stage.controller.model.picture?.pixels.first
    }
    try await stage.repaint { brightness() == 100 }
    stage.press("\t\t")
    try await stage.repaint { brightness() == 200 }
    stage.press("\t")
    try await stage.repaint { brightness() == 100 }
  }

  @Test func `a frame is made once, and waited for until it arrives`() async throws {
    let (wishes, reported) = AsyncStream.makeStream(of: MediaTime.self)
    let pictures = MediaPictures(picture: { time, _, _ in
      reported.yield(time)
      return GrabbedPicture(
        frame: PresentedFrame(number: 0, start: time, end: time),
        picture: Picture(width: 1, height: 1, pixels: [1, 2, 3]))
    })
    let stage = try EditStage(from: "10", pictures: pictures)
    let (controller, size) = (stage.controller, Size(columns: 80, rows: 24))
    // In is inside a frame: nothing before it is shown.
    #expect(controller.wantPictures(on: size))
    #expect(try await first("a wish for a picture", in: wishes) { $0 } == MediaTime(10))
    try await stage.repaint { !controller.wantPictures(on: size) }
    let frame = MediaTime(600 * 1001, 30000)
    controller.presenter.playheadDidMove(to: frame)
    #expect(controller.wantPictures(on: size))
    #expect(try await first("a wish for a picture", in: wishes) { $0 } == frame)
    try await stage.repaint { !controller.wantPictures(on: size) }
    // A hundredth of a second later the same frame is on screen.
    controller.presenter.playheadDidMove(to: MediaTime(2003, 100))
    #expect(!controller.wantPictures(on: size))
  }

  @Test func `while it plays, the first picture of the next pass is made in advance`() async throws
  {
    let (starts, reported) = AsyncStream.makeStream(of: MediaTime.self)
    let pictures = MediaPictures(
      picture: { time, _, _ in
        GrabbedPicture(
          frame: PresentedFrame(number: 0, start: time, end: time),
          picture: Picture(width: 1, height: 1, pixels: [1, 2, 3]))
      }, prepare: { start, _ in reported.yield(start) })
    let stage = try EditStage(pictures: pictures)
    stage.press("g20\r ")
    _ = stage.controller.canvas(size: Size(columns: 80, rows: 24))
    #expect(try await first("a picture made ahead", in: starts) { $0 } == MediaTime(10))
  }

  @Suite struct `When a range is cut` {
    @Test @MainActor func `then Enter hands exactly that range to the cutter`() async throws {
      let stage = try EditStage()
      let states = stage.controller.presenter.events.subscribe()
      stage.press("\r")
      _ = try await EditStage.written(states)
      #expect(stage.orders.all == [MediaTimeRange(from: MediaTime(10), to: MediaTime(50))])
      #expect(stage.text(80, 24).contains("Done: wrote /nowhere/walk-trimmed.mp4"))
      stage.press("g20\ro")
      #expect(!stage.text(80, 24).contains("Done:"), "what is written is not this range")
      stage.press("u")
      #expect(stage.text(80, 24).contains("Done:"))
      #expect(stage.press("q") == .quit)
    }

    @Test @MainActor func `then one that is too long is refused, with the excess`() throws {
      let stage = try EditStage(from: "10", to: "70.6")
      stage.press("\r")
      #expect(stage.text(80, 24).contains("Not cut: TOO LONG by 0.100 s"))
      #expect(stage.controller.presenter.exportState == .idle)
      #expect(stage.orders.all.isEmpty)
    }

    @Test @MainActor func `then a second Enter starts nothing more`() throws {
      let stage = try EditStage()
      stage.press("\r")
      let running = stage.controller.presenter.exportState
      stage.press("\re")
      #expect(running != .idle)
      #expect(stage.controller.presenter.exportState == running)
    }

    @Test(arguments: ["q", "\u{1B}"]) @MainActor
    func `then q and Escape cancel it and do not quit`(_ key: String) throws {
      let stage = try EditStage()
      stage.press("\r")
      #expect(stage.press(key) == .none)
      guard case .cancelling = stage.controller.presenter.exportState else {
        Issue.record("the cut goes on")
        return
      }
      #expect(stage.text(80, 24).contains("Canceling"))
    }
  }

  @Suite struct `When the output file exists` {
    @Test @MainActor func `then it is replaced only after a yes`() throws {
      let taken = Repository.sample("under-limit.mp4")
      let stage = try EditStage(target: taken)
      stage.press("\r")
      #expect(stage.text(200, 24).contains("Replace \(taken)? y/n"))
      stage.press("n")
      #expect(stage.controller.presenter.exportState == .idle)
      stage.press("\ry")
      #expect(stage.controller.presenter.exportState != .idle)
    }
  }

  @Suite struct `When the user quits` {
    @Test @MainActor func `then an untouched range needs no question`() throws {
      #expect(try EditStage().press("q") == .quit)
    }

    @Test @MainActor func `then a changed range does, and any key but y and q cancels`() throws {
      let stage = try EditStage()
      #expect(stage.press("g20\riq") == .none)
      #expect(stage.text(80, 24).contains("Quit without cutting? y/n"))
      #expect(stage.press("n") == .none)
      #expect(!stage.text(80, 24).contains("Quit without"))
      #expect(stage.press("qy") == .quit)
    }

    @Test @MainActor func `then Ctrl-C needs no question`() throws {
      let stage = try EditStage()
      stage.press("g20\ri")
      #expect(stage.controller.take(.control("c")) == .interrupt)
    }
  }

  @Suite struct `When it chooses a range for a script` {
    @Test @MainActor func `then Enter ends with the range, and nothing is cut`() throws {
      let stage = try EditStage(choice: .range)
      #expect(stage.press("\r") == .finish(.success))
      let chosen = try #require(MediaTimeRange(from: MediaTime(10), to: MediaTime(50)))
      #expect(stage.controller.chosen?.parts.map(\.range) == [chosen])
      #expect(stage.controller.presenter.exportState == .idle)
    }

    @Test @MainActor func `then a range that is too long cannot be chosen`() throws {
      let stage = try EditStage(to: "70.5", choice: .json)
      #expect(stage.press("\r") == .none)
      #expect(stage.controller.chosen == nil)
    }
  }

  @Test(arguments: ["\r", "\u{1B}", "q", "e", "v", "a", "X", "?", "L", "T"])
  func `any key closes the tutorial, the keys or the list, and does nothing else`(
    _ key: String
  ) throws {
    for opening in ["", "?", "L", "T"] {
      let stage = try EditStage(isFirstVisit: opening.isEmpty)
      stage.press(opening)
      let list = stage.controller.presenter.list
      #expect(stage.controller.editModel.play.overlay != .none)
      #expect(stage.press(key) == .none)
      #expect(stage.controller.editModel.play.overlay == .none)
      #expect(stage.controller.presenter.exportState == .idle)
      #expect(stage.controller.presenter.list == list)
      #expect(stage.controller.question == nil)
      #expect(!stage.controller.preview.isOn)
    }
  }

  @Test func `tracks are chosen by their numbers, and the cut follows`() async throws {
    var sound = TrackFacts(id: 7, index: 1, kind: .audio, codec: "aac")
    sound.language = "fra"
    let stage = try EditStage(moreTracks: [sound])
    stage.press("T")
    let screen = stage.text(80, 24)
    #expect(screen.contains("1  [x] video, h264, 1920x1080, 29.97 fps"))
    #expect(screen.contains("2  [x] audio, aac, fra"))
    stage.press("1")
    #expect(stage.text(80, 24).contains("1  [ ] video"))
    stage.press("2")
    #expect(stage.controller.notice == "At least one track has to be written.")
    stage.press("mm")
    #expect(stage.text(80, 24).contains("mode: copy"))
    let events = stage.controller.presenter.events.subscribe()
    stage.press("\u{1B}\r")
    _ = try await EditStage.written(events)
    let request = try #require(stage.orders.request)
    #expect(request.mode == .copy && request.tracks == TrackChoice(ids: [7]))
  }

  @Test func `parts are added, split, named, moved, deleted and joined by keys`() throws {
    let stage = try EditStage()
    let presenter = stage.controller.presenter
    stage.press("g2:00\ra")
    #expect(presenter.list.parts.map(\.range.start) == [MediaTime(10), MediaTime(120)])
    stage.press("g2:10\ro")
    #expect(stage.text(100, 24).contains("part 2 of 2"))
    stage.press("Ngoal\r(")
    #expect(presenter.list.selectedIndex == 0)
    #expect(presenter.list.parts[1].name == "goal")
    stage.press("g20\r/")
    #expect(presenter.list.parts.count == 3)
    stage.press("}}x")
    #expect(presenter.list.parts.map(\.range.start) == [MediaTime(10), MediaTime(120)])
    stage.press("J")
    #expect(stage.text(100, 24).contains("2 parts joined: OK"))
    stage.press("uuuu")
    #expect(presenter.list.parts.count == 2)
  }

  @Test func `the plan is that of the whole output, whichever part is selected`() async throws {
    let stage = try EditStage()
    let first = try #require(MediaTimeRange(from: MediaTime(10), to: MediaTime(50)))
    let second = try #require(MediaTimeRange(from: MediaTime(120), to: MediaTime(130)))
    stage.press("g2:00\ra" + "g2:10\ro")
    try await stage.repaint { stage.text(120, 24).contains("2 files, 2 edges") }
    #expect(stage.orders.planned.last == [[first], [second]])
    stage.press("(")
    #expect(stage.text(120, 24).contains("2 files, 2 edges"))
    #expect(stage.orders.planned.last == [[first], [second]])
    stage.press("J")
    try await stage.repaint {
      let text = stage.text(120, 24)
      return text.contains("2 edges") && !text.contains("2 files")
    }
    #expect(stage.orders.planned.last == [[first, second]])
  }

  @Test func `the length that was written is that of all joined parts`() async throws {
    let stage = try EditStage()
    let states = stage.controller.presenter.events.subscribe()
    stage.press("g2:00\ra" + "g2:10\roJ\r")
    _ = try await EditStage.written(states)
    #expect(stage.controller.editModel.remark?.hasSuffix(", 50 seconds") == true)
  }

  @Test func `the middle is removed with one key`() throws {
    let stage = try EditStage()
    stage.press("X")
    #expect(
      stage.controller.presenter.list.parts.map(\.range) == [
        MediaTimeRange(from: .zero, to: MediaTime(10)),
        MediaTimeRange(from: MediaTime(50), to: MediaTime(300)),
      ])
    stage.press("\r")
    #expect(stage.text(100, 24).contains("Not cut: 2 parts joined: TOO LONG"))
    #expect(stage.text(100, 24).contains("M or --max-length"))
  }

  @Test func `several parts become numbered files, or one`() async throws {
    for (keys, wanted) in [("", 2), ("J", 1)] {
      let stage = try EditStage()
      let states = stage.controller.presenter.events.subscribe()
      stage.press("g2:00\ra" + "g2:10\ro" + keys + "\r")
      #expect(try await EditStage.written(states).count == wanted)
      #expect(
        stage.text(140, 24).contains(wanted == 1 ? "walk-trimmed.mp4" : "walk-trimmed-1.mp4, "))
    }
  }
}

@MainActor @Suite struct `Given a mouse on trim edit` {
  /// 300 s across 78 columns of an 80×24 screen without pictures.
  private func act(
    _ action: Mouse.Action, column: Int, row: Int? = nil, on stage: EditStage
  ) {
    let size = Size(columns: 80, rows: 24)
    let timeline = stage.controller.layout(size).timeline
    let place = Position(column: column, row: row ?? timeline)
    stage.controller.take(Mouse(action, .left, at: place), on: size)
  }

  @Test func `a press moves the playhead there`() throws {
    let stage = try EditStage()
    act(.press, column: 40, on: stage)
    #expect(stage.controller.presenter.playbackTime == MediaTime(79 * 300, 156))
  }

  @Test func `a handle is dragged, as one step for undo`() throws {
    let stage = try EditStage()
    // In at 10 s is in column 2 of the row, out at 50 s in column 13.
    act(.press, column: 14, on: stage)
    for column in 15...20 { act(.drag, column: column, on: stage) }
    act(.release, column: 20, on: stage)
    #expect(stage.range.start == MediaTime(10))
    #expect(stage.range.end == MediaTime(39 * 300, 156))
    act(.drag, column: 30, on: stage)
    #expect(stage.range.end == MediaTime(39 * 300, 156))
    stage.press("u")
    #expect(stage.range == MediaTimeRange(from: MediaTime(10), to: MediaTime(50)))
  }

  @Test(arguments: [13, 15])
  func `a handle can also be grabbed one column beside it`(_ column: Int) throws {
    let stage = try EditStage()
    act(.press, column: column, on: stage)
    #expect(stage.controller.presenter.playbackTime == MediaTime(10))
    act(.drag, column: 20, on: stage)
    #expect(stage.range.end == MediaTime(39 * 300, 156))
  }

  @Test func `a drag beyond the border ends at the border`() throws {
    let stage = try EditStage()
    act(.press, column: 14, on: stage)
    act(.drag, column: 4000, on: stage)
    #expect(stage.range.end == MediaTime(155 * 300, 156))
  }

  @Test func `elsewhere a press does nothing`() throws {
    let stage = try EditStage()
    act(.press, column: 40, row: 0, on: stage)
    act(.press, column: 40, row: 23, on: stage)
    #expect(stage.controller.presenter.playbackTime == MediaTime(10))
  }

  @Test func `the wheel moves by a frame`() throws {
    let stage = try EditStage()
    act(.wheelDown, column: 1, on: stage)
    #expect(stage.controller.presenter.playbackTime == MediaTime(1001 * 300, 30000))
  }
}
