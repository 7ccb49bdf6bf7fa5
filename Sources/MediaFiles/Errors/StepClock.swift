/// The time of work that comes in steps, since its last sign of life: how long it has been silent, and
/// how much processor time it has used meanwhile.
package struct StepClock: Sendable {
  private var silence = Duration.zero
  private var before: Duration

  /// Whatever waits for a disk uses next to nothing; on a busy machine that is little, but more.
  private static let leastShare = 200

  /// - Parameter used: processor time so far.
  package init(used: Duration) { before = used }

  /// It goes on.
  package mutating func heard(used: Duration) {
    silence = .zero
    before = used
  }

  /// Time went by without a sign.
  package mutating func passed(_ time: Duration) { silence += time }

  /// Why it is waited for no longer.
  ///
  /// - Parameters:
  ///   - step: how much processor time one step may take.
  ///   - standstill: how long it may neither compute nor show a sign.
  package func refusal(used: Duration, step: Duration, standstill: Duration) -> ProbeError? {
    let computed = used - before
    if computed > step { return .computesTooLong(step) }
    return silence > standstill && computed < silence / Self.leastShare ? .cameToRest(silence) : nil
  }
}

extension ProbeError {
  /// - Parameter time: of processors, for one step.
  package static func computesTooLong(_ time: Duration) -> ProbeError {
    ProbeError(
      .limitExceeded,
      "it asks for so much that FFmpeg did not come back within \(time.components.seconds) s of "
        + "processor time")
  }

  /// The time that all of it may take is over.
  package static var tookTooLong: ProbeError {
    ProbeError(
      .timedOut, "it took longer than the limit allows", hint: "Give more time with --timeout.")
  }

  package static func cameToRest(_ time: Duration) -> ProbeError {
    ProbeError(
      .timedOut, "nothing more came of it for \(time.components.seconds) s",
      hint: "Check the disk or the connection, then try again.")
  }
}
