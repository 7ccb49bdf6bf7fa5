public import Trimming

/// What a cut did.
public struct CutReport: Sendable, Hashable {
  public var plan: CutPlan
  public var byteCount: Int64

  public init(plan: CutPlan, byteCount: Int64) {
    self.plan = plan
    self.byteCount = byteCount
  }
}

/// How far a cut has come.
public struct CutProgress: Sendable, Hashable {
  public var bytesDone: Int64
  public var bytesTotal: Int64

  public init(bytesDone: Int64, bytesTotal: Int64) {
    self.bytesDone = bytesDone
    self.bytesTotal = bytesTotal
  }
}
