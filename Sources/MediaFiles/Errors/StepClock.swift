/// The time since stepwise work last reported progress: how long it has been silent, and how much
/// processor time it has used meanwhile.
package struct StepClock: Sendable {
  private var silence = Duration.zero
  private var before: Duration

  /// Work that waits for a disk uses almost no processor time; work that computes on a busy machine
  /// uses little, but at least this fraction (1/200) of the time.
  private static let leastShare = 200

  /// - Parameter used: processor time so far.
  package init(used: Duration) { before = used }

  /// The work reported progress.
  package mutating func heard(used: Duration) {
    silence = .zero
    before = used
  }

  /// Time passed without progress.
  package mutating func passed(_ time: Duration) { silence += time }

  /// Why to stop waiting for the work; `nil` while it may continue.
  ///
  /// - Parameters:
  ///   - step: how much processor time one step may take.
  ///   - standstill: how long it may neither compute nor report progress.
  package func refusal(used: Duration, step: Duration, standstill: Duration) -> MediaError? {
    let computed = used - before
    if computed > step { return .computesTooLong(step) }
    return silence > standstill && computed < silence / Self.leastShare ? .cameToRest(silence) : nil
  }
}

extension MediaError {
  /// - Parameter time: the processor time limit of one step.
  package static func computesTooLong(_ time: Duration) -> MediaError {
    MediaError(
      .limitExceeded,
      "FFmpeg did not finish a step within \(time.components.seconds) s of processor time")
  }

  /// The time limit for the whole work was exceeded.
  package static var tookTooLong: MediaError {
    MediaError(.timedOut, "it took longer than the limit allows")
  }

  package static func cameToRest(_ time: Duration) -> MediaError {
    MediaError(
      .timedOut, "it made no progress for \(time.components.seconds) s",
      hint: "Check the disk or the connection, then try again.")
  }
}
