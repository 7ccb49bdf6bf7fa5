public import ExactTime
public import Trimming

/// What a cut did.
public struct CutReport: Sendable, Hashable, Codable {
  /// The plan that was executed.
  public var plan: CutPlan
  /// The size of the written file in bytes.
  public var byteCount: Int64
  /// What the verification examined and found; `nil` where there was none.
  public var examination: CutExamination?

  /// How long the written file is presented.
  ///
  /// As it was read back; as it was planned where there was no verification. The two differ where a
  /// container says less than a plan: how long the last frame lasts, or what encoded sound holds behind
  /// OUT.
  public var length: MediaDuration { examination?.presented ?? plan.length }

  /// Creates a report.
  public init(plan: CutPlan, byteCount: Int64, examination: CutExamination? = nil) {
    self.plan = plan
    self.byteCount = byteCount
    self.examination = examination
  }
}

/// How much of a cut's work is done: frames decoded and encoded, bytes copied and verified.
public struct CutProgress: Sendable, Hashable {
  /// Work done so far, in units that mean nothing outside of ``total``.
  public var done: Int64
  /// All the work there is, in the same units; never less than 1.
  public var total: Int64

  /// Creates a state of progress, both in the same units of work.
  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }

  /// The share of the work that is done, from 0 to 1.
  public var share: Rational {
    guard total > 0 else { return .zero }
    return Rational(min(max(0, done), total), total)
  }
}
