/// Why a cut cannot be planned: what happened, and a way out.
public struct PlanRefusal: Error, Sendable, Hashable {
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The range lies outside the source, is empty, or shows nothing of it.
    case emptyRange
    /// The container of the output does not hold a codec, or cannot say what was asked for.
    case codecDoesNotFit
    /// There is no encoder for what must be encoded.
    case codecMissing
    /// The source is of a kind that is not cut.
    case notCuttable
    /// Its times leave 64 bits.
    case damaged
  }

  public var code: Code
  public var message: String
  public var hint: String?

  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  static let beyondNumbers = PlanRefusal(
    .damaged, "its times are too large to calculate with")
}

/// Why there is no plan.
public enum PlanningError: Error, Sendable, Hashable {
  case refused(PlanRefusal)
  /// Facts must be gathered first; then the same question has an answer.
  case missing(Set<MissingFact>)
}
