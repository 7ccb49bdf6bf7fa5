import ExactTime
import Synchronization
import Trimming

/// What is looked for in an open file, and what came of it: one search at a time.
@MainActor final class StudioSearch {
  /// What pages draw; the list itself is requested when its number changes.
  struct State: Encodable {
    /// Changes with the list.
    var number: Int
    var count: Int
    /// The page that looks; `nil` while nothing is looked for.
    var page: String?
    /// What was looked for.
    var sentence: String?
    /// What could not be looked at.
    var gaps: [String]
    /// Why nothing was found out.
    var failure: String?
  }

  struct List: Encodable {
    struct Row: Encodable {
      var finding: TrimmingFinding
      /// `0:01.000 – 0:02.000`.
      var words: String
      var length: String
    }

    var number: Int
    var rows: [Row]
  }

  /// Called when ``state`` has changed.
  var didChange: @MainActor () -> Void = {}
  private let file: StudioFile
  private let presenter: TrimmingPresenter
  private var running: (page: String, stop: Stop)?
  private var number = 0
  private var found: StudioFinding.Found?
  private var failure: String?

  init(_ file: StudioFile, _ presenter: TrimmingPresenter) {
    (self.file, self.presenter) = (file, presenter)
  }

  var state: State {
    State(
      number: number, count: presenter.session.findings.count, page: running?.page,
      sentence: found?.sentence, gaps: found?.gaps ?? [], failure: failure)
  }

  var list: List {
    let clock = file.words.clock
    return List(
      number: number,
      rows: presenter.session.findings.map { one in
        let length = (try? one.range.checkedLength()).map { clock(MediaTime(seconds: $0.seconds)) }
        return List.Row(
          finding: one, words: "\(clock(one.range.start)) – \(clock(one.range.end))",
          length: length ?? "")
      })
  }

  /// Stops what is being looked for, and looks for something else.
  ///
  /// - Throws: `VideoFailure` about what was typed.
  func start(_ wish: StudioFinding.Wish, for page: String) throws {
    guard !wish.kinds.isEmpty else { throw VideoFailure("Choose what to look for.") }
    let work = try file.finding.work(wish)
    stop()
    let stop = Stop()
    (running, failure) = ((page, stop), nil)
    didChange()
    Task { [weak self] in
      let result: Result<StudioFinding.Found, any Error>
      do {
        result = .success(try await work { stop.isSet })
      } catch {
        result = .failure(error)
      }
      self?.end(stop, result)
    }
  }

  private func end(_ stop: Stop, _ result: Result<StudioFinding.Found, any Error>) {
    // It was stopped, or something else is looked for by now.
    guard running?.stop === stop else { return }
    running = nil
    switch result {
    case .success(let found):
      self.found = found
      number += 1
      presenter.findingsDidArrive(found.findings)
    case .failure(let error):
      failure = (error as? VideoFailure)?.message ?? (error as? StudioBusy)?.message ?? "\(error)"
    }
    didChange()
  }

  func stop() {
    guard let running else { return }
    running.stop.set()
    self.running = nil
    didChange()
  }

  /// Stops if the page that looks is gone.
  func stop(unless pages: [String]) {
    if let running, !pages.contains(running.page) { stop() }
  }

  private final class Stop: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
  }
}

/// What a page looks for.
struct FindWish: PageMessage {
  static let members: Set<String> = ["page", "kinds", "thresholds"]

  var page: String
  var kinds: [TrimmingFinding.Kind]
  var thresholds: [String: String]?
}

extension OpenFile {
  /// Starts to look; the state says when it has ended.
  func find(_ request: AdmittedRequest) throws -> HTTPResponse {
    guard let asked: FindWish = try? request.json(), (1...64).contains(asked.page.utf8.count) else {
      return HTTPResponse(refusing: 400, "This is not a search.")
    }
    var wish = StudioFinding.Wish(kinds: Set(asked.kinds))
    for (name, text) in asked.thresholds ?? [:] {
      guard let id = StudioFinding.ThresholdID(rawValue: name), text.utf8.count <= 100 else {
        return HTTPResponse(refusing: 400, "This is not a search.")
      }
      wish.thresholds[id] = text
    }
    try search.start(wish, for: asked.page)
    return .nothing
  }
}
