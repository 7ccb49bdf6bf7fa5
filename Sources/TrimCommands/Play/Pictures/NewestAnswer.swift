import Threads

/// The answer to the newest request: blocking work is done for one request at a time, and requests
/// superseded meanwhile are skipped.
///
/// Slow work produces fewer answers, never stale ones.
@MainActor final class NewestAnswer<Wish: Equatable & Sendable, Answer: Sendable> {
  private(set) var answer: Answer?
  /// The request that ``answer`` belongs to.
  private(set) var answered: Wish?
  private var wanted: Wish?
  private var isBusy = false
  private let worker = WaitingWorker()
  private let work: @Sendable (Wish) throws -> Answer
  private let didArrive: @MainActor () -> Void

  /// - Parameter didArrive: called after each answer.
  init(
    didArrive: @escaping @MainActor () -> Void, work: @escaping @Sendable (Wish) throws -> Answer
  ) {
    self.work = work
    self.didArrive = didArrive
  }

  /// Whether a request is pending; it may still turn out to have no answer.
  var isPending: Bool { wanted != answered }

  func want(_ wish: Wish) {
    guard wish != wanted else { return }
    wanted = wish
    start()
  }

  private func start() {
    guard !isBusy, let wish = wanted, wish != answered else { return }
    isBusy = true
    let isStarted = worker.run { [work] in
      let result = try? work(wish)
      Task { @MainActor in self.finish(wish, result) }
    }
    if !isStarted { Task { finish(wish, nil) } }
  }

  private func finish(_ wish: Wish, _ result: Answer?) {
    isBusy = false
    // A failed request is not repeated, and what is shown stays.
    answered = wish
    if let result {
      answer = result
      didArrive()
    }
    start()
  }
}
