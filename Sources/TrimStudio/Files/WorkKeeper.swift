package import EditLists
package import Trimming

/// Keeps the unfinished work of a session, and brings back what was kept earlier.
@MainActor package final class WorkKeeper {
  /// How the output is made, read and changed like a page does.
  package struct Settings: Sendable {
    var now: @Sendable () -> StudioSettings
    var change: @Sendable (StudioSettings.Change) throws -> Void

    package init(
      now: @escaping @Sendable () -> StudioSettings,
      change: @escaping @Sendable (StudioSettings.Change) throws -> Void
    ) {
      self.now = now
      self.change = change
    }
  }

  private let port: WorkPort
  private let presenter: TrimmingPresenter
  private let settings: Settings
  /// All files of the session.
  private let sources: @Sendable () -> [EditList.Source]
  private let frames: Int
  /// The limit of a fresh start.
  private let limit: LengthLimit
  private let changesLimit: Bool
  /// What was kept when the file was opened.
  private let found: Project?
  /// The work of a fresh start.
  private let untouched: Project
  private var kept: Project
  private var keeping: Task<Void, Never>?
  /// Work on parts of several files, which are opened first.
  package private(set) var waiting: (work: Project, isProject: Bool)?
  /// Whether kept work on parts of several files was not applied: it is not overwritten until it is forgotten.
  package private(set) var isHeld = false
  /// Whether the work began with what was kept from earlier.
  package private(set) var hasReturned = false
  /// What else happened to the kept work.
  package private(set) var note: String?

  /// - Parameters:
  ///   - presenter: of a video that has loaded, before anything was done.
  ///   - frames: the number of its frames, by which the file is recognized.
  ///   - isLimitGiven: whether the limit was given at the start; a kept one is then not used.
  ///   - sources: all files of the session, by their index.
  package init(
    _ port: WorkPort, _ presenter: TrimmingPresenter, frames: Int, isLimitGiven: Bool,
    settings: Settings,
    sources: @escaping @Sendable () -> [EditList.Source] = { [EditList.Source()] }
  ) {
    self.sources = sources
    self.port = port
    self.presenter = presenter
    self.settings = settings
    self.frames = frames
    limit = presenter.limit
    changesLimit = !isLimitGiven
    untouched = Self.work(presenter, frames, isLimitGiven ? nil : limit, settings.now(), sources())
    kept = untouched
    found = port.load()
  }

  /// Whether something is kept that a fresh start does not have.
  package var keepsSomething: Bool { kept != untouched }

  private var current: Project {
    Self.work(presenter, frames, changesLimit ? limit : nil, settings.now(), sources())
  }

  /// - Parameter limit: the one of a fresh start; `nil` if that was given, and no other one is kept.
  private static func work(
    _ presenter: TrimmingPresenter, _ frames: Int, _ limit: LengthLimit?,
    _ settings: StudioSettings,
    _ sources: [EditList.Source]
  ) -> Project {
    let session = presenter.session
    return Project(
      bounds: session.sources[0].bounds, frames: frames, list: session.list, sources: sources,
      limit: limit == nil || session.limit == limit ? nil : session.limit, settings: settings)
  }

  /// Applies what was kept, if it is of this very file.
  package func restore() {
    defer { kept = current }
    guard let found else {
      if port.isOfOtherVersion() { note = Self.otherVersion }
      return
    }
    guard isOfThisFile(found) else {
      note = Self.otherVersion
      return
    }
    guard found.others.isEmpty else {
      waiting = (found, false)
      return
    }
    apply(found, limit: found.limit)
    hasReturned = current != untouched
  }

  /// Goes on with work on parts of several files, once they are open.
  ///
  /// Where one is gone or another, nothing of the work is applied, and ``note`` says so. What was kept stays,
  /// for when the files are there again.
  ///
  /// - Parameter open: opens the files after the first, and returns their indices in the session; throws
  ///   `VideoFailure`.
  /// - Returns: whether the work was applied.
  @discardableResult package func goOn(
    _ open: ([EditList.Source]) async throws -> [Int]
  ) async -> Bool {
    guard let (work, isProject) = waiting else { return false }
    do {
      let places = [0] + (try await open(work.others))
      // It may have been forgotten meanwhile.
      guard waiting != nil else { return false }
      waiting = nil
      apply(work, limit: work.limit, places: places)
      if !isProject {
        hasReturned = current != untouched
        kept = current
      }
      return true
    } catch {
      guard waiting != nil else { return false }
      waiting = nil
      let reason = (error as? VideoFailure)?.message ?? "\(error)"
      note =
        (isProject ? "The project was not opened: " : "Your earlier work was not applied: ")
        + reason
      isHeld = found.map { isOfThisFile($0) && !$0.others.isEmpty } ?? false
      if isHeld { note = note.map { $0 + " " + Self.held } }
      return false
    }
  }

  private func isOfThisFile(_ work: Project) -> Bool {
    work.bounds == untouched.bounds && work.frames == frames
  }

  // MARK: Saved projects

  /// All that is to be saved: the limit too, whatever that of a fresh start is.
  package var project: Project {
    var project = current
    project.limit = presenter.limit
    return project
  }

  /// Goes on with a project that was saved: one step for undo.
  ///
  /// One with parts of several files waits for ``goOn(_:)``.
  ///
  /// - Throws: `VideoFailure` for the project of another file.
  package func open(_ project: Project) throws(VideoFailure) {
    guard isOfThisFile(project) else {
      throw VideoFailure("The project is of another file: its length or its frames differ.")
    }
    waiting = nil
    guard project.others.isEmpty else {
      waiting = (project, true)
      return
    }
    apply(project, limit: project.limit)
  }

  private static let otherVersion =
    "You worked on another version of this file: the parts of that time were not applied."
  private static let held =
    "The earlier work stays kept until its files are there again; new work is not kept unless you forget that."
  private static let changedElsewhere =
    "This file was also changed in another window of trim: of the work that is kept, the last change counts."

  private func apply(_ work: Project, limit: LengthLimit?, places: [Int] = [0]) {
    if let list = work.partList(places: places) { presenter.partsDidReturn(list) }
    if changesLimit, let limit { presenter.limitDidChange(to: limit) }
    // A name or track that is refused today is left as it is.
    for change in [
      StudioSettings.Change.output(work.output), .mode(work.mode.rawValue),
      .tracks(work.tracks.map(String.init).joined(separator: ",")),
    ] { try? settings.change(change) }
  }

  /// What waits for its files is not overwritten.
  private var mayKeep: Bool { waiting == nil && !isHeld && presenter.phase == .ready }

  /// Keeps the work a second after the last change; work that equals a fresh start is not kept.
  package func keep() {
    guard mayKeep, keeping == nil, current != kept else { return }
    keeping = Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      self?.keepNow()
    }
  }

  /// Keeps the work without waiting.
  package func keepNow() {
    keeping?.cancel()
    keeping = nil
    let current = current
    guard mayKeep, current != kept else { return }
    kept = current
    if port.wasChangedElsewhere() { note = Self.changedElsewhere }
    if current == untouched { port.forget() } else { port.keep(current) }
  }

  /// Forgets it: the whole video is selected again, unless it was never applied.
  package func forget() {
    let wasHeld = isHeld
    waiting = nil
    isHeld = false
    port.forget()
    hasReturned = false
    note = nil
    if wasHeld { return keep() }
    apply(untouched, limit: limit)
    kept = current
  }
}
