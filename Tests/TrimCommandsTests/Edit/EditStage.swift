import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Support
import Synchronization
import TerminalUI
import Trimming

@testable import TrimCommands

/// An editor of the file of ``PlayStage``, with a cutter that writes nothing.
@MainActor struct EditStage {
  let controller: EditController
  /// What the cutter was told to write.
  let orders: Orders
  private let repaints: AsyncStream<Void>
  private let repainting: AsyncStream<Void>.Continuation

  final class Orders: Sendable {
    private let ranges = Mutex<[MediaTimeRange]>([])

    private let requests = Mutex<[CutRequest]>([])
    private let plans = Mutex<[[[MediaTimeRange]]]>([])

    var all: [MediaTimeRange] { ranges.withLock { $0 } }
    /// How the last one was to be written.
    var request: CutRequest? { requests.withLock { $0.last } }

    /// What plans were wanted for: the ranges of each file.
    var planned: [[[MediaTimeRange]]] { plans.withLock { $0 } }

    func plan(_ orders: [CutOrder]) -> CutOutlook {
      plans.withLock { $0.append(orders.map { $0.request.parts.map(\.range) }) }
      var outlook = CutOutlook(frames: 1199, encodedFrames: 47, edges: 2)
      outlook.files = orders.count
      guard orders.contains(where: { $0.request.parts.contains { $0.source != 0 } }) else {
        return outlook
      }
      outlook.differences = [1: "size is 640x360, not 1920x1080"]
      return outlook.named([0, 1], ["walk.mp4", "b.mp4"])
    }

    func add(_ order: CutOrder) {
      ranges.withLock { $0.append(order.request.parts[0].range) }
      requests.withLock { $0.append(order.request) }
    }
  }

  init(
    from: String = "10", to: String = "50", isFirstVisit: Bool = false,
    choice: EditOptions.Choice? = nil, target: String = "/nowhere/walk-trimmed.mp4",
    pictures: MediaPictures? = nil, result: Result<ResultPictures, VideoFailure>? = nil,
    moreTracks: [TrackFacts] = [], finds: EditFinder.Look? = nil, files: AddedFiles? = nil
  ) throws {
    let part = PartExpression(
      from: try TimeExpression(parsing: from), end: .to(try TimeExpression(parsing: to)))
    var clip = try PlayStage.clip(part)
    if let pictures { clip.show(pictures) }
    let orders = Orders()
    let cutter = MediaCutter(
      outlook: { orders.plan($0) },
      cut: { order, _, _ in orders.add(order) },
      preview: { order, _ in
        orders.add(order)
        guard let result else { throw VideoFailure("nothing is made here") }
        return try result.get()
      })
    let place = EditTarget(Array(target.utf8), replaces: false, asciiOnly: false)
    var parsed = ParsedArguments(positionals: [ArgumentText("walk.mp4")])
    if let choice { parsed.note(ArgumentText(choice.rawValue), for: "print") }
    let options = try EditOptions(parsed)
    var facts = clip.facts
    facts.tracks += moreTracks
    let choice = CutSettingsChoice(facts, options.settings)
    let presenter = TrimmingPresenter(
      video: clip.video, isPlaying: false,
      ports: .editing(
        clip, flags: .inMemory(isClaimed: !isFirstVisit), cutter: cutter, target: place,
        settings: { choice.settings }))
    presenter.videoDidLoad(clip.timings)
    presenter.viewDidAppear()
    self.orders = orders
    let (repaints, repaint) = AsyncStream.makeStream(of: Void.self)
    (self.repaints, repainting) = (repaints, repaint)
    controller = EditController(
      EditController.Parts(
        media: clip, presenter: presenter, options: options, target: place, cutter: cutter,
        choice: choice,
        desk: pictures.map { PictureDesk($0, didArrive: { repaint.yield() }) },
        lists: ScreenList(clip, path: Array("walk.mp4".utf8)), files: files,
        finder: finds.map { look in
          EditFinder([.silence, .black, .scene], repaint: { repaint.yield() }, look: look)
        },
        repaint: { repaint.yield() }))
  }

  /// Waits for screen updates until the condition is met.
  ///
  /// - Throws: `DidNotCome` with the screen as it is.
  func repaint(within limit: Duration = .seconds(1), until isThere: () -> Bool) async throws {
    guard !isThere() else { return }
    let deadline = Deadline(after: limit) { [repainting] in repainting.finish() }
    defer { deadline.cancel() }
    for await _ in repaints where isThere() { return }
    throw DidNotCome("another screen than this:\n\(text(80, 24))\n", within: limit)
  }

  /// The files that an export has written, once it is done.
  static func written(_ events: AsyncStream<SessionEvent>) async throws -> [String] {
    try await first("the end of the export", in: events) { event in
      if case .exportDidFinish(let locations) = event { locations } else { nil }
    }
  }

  /// `\t` is Tab, `\r` Enter, `\u{1B}` Escape.
  @discardableResult
  func press(_ keys: String) -> PlayController.Reply {
    var reply = PlayController.Reply.none
    for character in keys {
      let key: Key =
        switch character {
        case "\t": Key(.tab)
        case "\r": Key(.enter)
        case "\u{1B}": Key(.escape)
        default: .character(character)
        }
      reply = controller.take(key)
    }
    return reply
  }

  var range: MediaTimeRange { controller.presenter.timeRange }

  func text(_ columns: Int, _ rows: Int) -> String {
    controller.canvas(size: Size(columns: columns, rows: rows)).text
  }
}
