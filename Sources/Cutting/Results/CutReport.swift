public import ExactTime
public import Trimming

/// What a cut did.
public struct CutReport: Sendable, Hashable {
  public var plan: CutPlan
  public var byteCount: Int64
  /// What its proof looked at and found; `nil` where none was made.
  public var examination: CutExamination?

  public init(plan: CutPlan, byteCount: Int64, examination: CutExamination? = nil) {
    self.plan = plan
    self.byteCount = byteCount
    self.examination = examination
  }
}

/// How much of a cut's work is done: frames decoded and encoded, bytes copied and proven.
public struct CutProgress: Sendable, Hashable {
  /// In units of work that say nothing of themselves.
  public var done: Int64
  /// Never less than 1.
  public var total: Int64

  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }

  /// From 0 to 1.
  public var share: Rational {
    guard total > 0 else { return .zero }
    return Rational(min(max(0, done), total), total)
  }
}
