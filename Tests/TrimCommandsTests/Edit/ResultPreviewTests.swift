import ExactTime
import Isolation
import MediaEngine
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given the result preview of trim edit` {
  /// A picture of one pixel, of the file or of the result, by its brightness.
  nonisolated private static func pictures(_ brightness: UInt8) -> MediaPictures {
    MediaPictures(picture: { time, _, _ in
      let frame = PresentedFrame(number: 0, start: time, end: time)
      return GrabbedPicture(
        frame: frame,
        picture: Picture(width: 1, height: 1, pixels: [brightness, brightness, brightness]))
    })
  }

  private static let size = Size(columns: 80, rows: 24)

  private func stage(
    from: String = "10", to: String = "50", choice: EditOptions.Choice? = nil,
    result: Result<ResultPictures, VideoFailure> = .success(
      ResultPictures(pictures: pictures(200), seams: [MediaTime(21, 2), MediaTime(49)]))
  ) throws -> EditStage {
    try EditStage(
      from: from, to: to, choice: choice, pictures: Self.pictures(100), result: result)
  }

  private func brightness(_ stage: EditStage) -> UInt8? {
    _ = stage.controller.canvas(size: Self.size)
    return stage.controller.model.picture?.pixels.first
  }

  private func showing() async throws -> EditStage {
    let stage = try stage()
    try await stage.repaint { brightness(stage) == 100 }
    stage.press("v")
    try await stage.repaint { brightness(stage) == 200 }
    return stage
  }

  @Test func `the pictures are those of the result, from a little before its end`() async throws {
    let stage = try stage()
    try await stage.repaint { brightness(stage) == 100 }
    stage.press("v")
    #expect(stage.text(80, 24).contains("Making the result …   v ends it"))
    try await stage.repaint { brightness(stage) == 200 }
    #expect(
      stage.text(80, 24)
        .contains("The result, seams at 00:10.500 and 00:49.000   v ends it"))
    #expect(stage.controller.presenter.isPlaying)
    #expect(stage.controller.presenter.playbackTime == MediaTime(48))
    #expect(stage.orders.all == [MediaTimeRange(from: MediaTime(10), to: MediaTime(50))])
    #expect(stage.controller.presenter.exportState == .idle)
  }

  @Test(arguments: ["v", "\u{1B}", "o"])
  func `v, Escape and any change of the range end it`(_ keys: String) async throws {
    let stage = try await showing()
    #expect(stage.press(keys) == .none)
    try await stage.repaint { brightness(stage) == 100 }
    #expect(!stage.text(80, 24).contains("The result"))
  }

  @Test(arguments: ["v", "\u{1B}"])
  func `when it ends then the file plays on only if it played before`(
    _ key: String
  ) async throws {
    let still = try await showing()
    still.press(key)
    #expect(!still.controller.presenter.isPlaying)
    let playing = try stage()
    playing.press(" v")
    try await playing.repaint { brightness(playing) == 200 }
    playing.press(key)
    #expect(playing.controller.presenter.isPlaying)
  }

  @Test func `outside the range only the file is shown`() async throws {
    let stage = try await showing()
    stage.press("k0")
    try await stage.repaint { brightness(stage) == 100 }
    #expect(stage.text(80, 24).contains("The result"))
    stage.press("[")
    try await stage.repaint { brightness(stage) == 200 }
  }

  @Test func `a cut ends it`() async throws {
    let stage = try await showing()
    stage.press("\r")
    #expect(!stage.controller.preview.isOn)
    #expect(stage.controller.presenter.exportState != .idle)
  }

  @Test func `a preview that cannot be made says why`() async throws {
    let stage = try stage(result: .failure(VideoFailure("the disk is full")))
    stage.press("v")
    try await stage.repaint { !stage.controller.preview.isOn }
    #expect(stage.text(80, 24).contains("No preview: the disk is full"))
    #expect(!stage.controller.presenter.isPlaying)
  }

  @Test func `a preview that ended before it was ready is never shown`() async throws {
    let stage = try stage()
    stage.press("vv")
    try await stage.repaint { brightness(stage) == 100 }
    #expect(!stage.controller.preview.isOn)
    #expect(!stage.controller.presenter.isPlaying)
  }

  @Test func `a range that is too long has no preview`() throws {
    let stage = try stage(to: "70.6")
    stage.press("v")
    #expect(stage.text(80, 24).contains("No preview: TOO LONG by 0.100 s"))
    #expect(stage.orders.all.isEmpty)
  }

  @Test func `without pictures there is nothing to see`() throws {
    let stage = try EditStage()
    stage.press("v")
    #expect(stage.text(80, 24).contains("No preview: pictures are not available here"))
  }
}
