public import ExactTime
public import Trimming

/// What a cut did.
public struct CutReport: Sendable, Hashable, Codable {
  /// The plan that was executed.
  public var plan: CutPlan
  /// The size of the written file in bytes.
  public var byteCount: Int64
  /// What the verification examined and found; `nil` without verification.
  public var examination: CutExamination?
  /// The damage in the source that re-encoding the audio found, with or without verification.
  public var replaced: [CutDamage]
  /// What the source's header holds that is not in the file, besides what only describes how the source
  /// is stored; tracks that are not written are in the plan.
  public var leftOut: [LeftOut]

  /// All damage that was found in the source, ordered by track and time.
  public var damage: [CutDamage] { examination?.damage ?? replaced }

  /// The presentation duration of the written file.
  ///
  /// As read back; as planned where there was no verification. The two differ where a container
  /// states less than a plan, such as the duration of the last frame, or what encoded audio holds
  /// after OUT.
  public var length: MediaDuration { examination?.presented ?? plan.length }

  /// Creates a report.
  public init(
    plan: CutPlan, byteCount: Int64, examination: CutExamination? = nil, replaced: [CutDamage] = [],
    leftOut: [LeftOut] = []
  ) {
    self.plan = plan
    self.byteCount = byteCount
    self.examination = examination
    self.replaced = replaced
    self.leftOut = leftOut
  }
}

/// How much of a cut's work is done: frames decoded and encoded, bytes copied and verified.
public struct CutProgress: Sendable, Hashable {
  /// Work done so far, in units that are only meaningful relative to ``total``.
  public var done: Int64
  /// The total work, in the same units; never less than 1.
  public var total: Int64

  /// Creates a progress value, both in the same units of work.
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
