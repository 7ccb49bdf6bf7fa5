/// Why a cut cannot be planned: what is wrong, and what to do about it.
public struct PlanRefusal: Error, Sendable, Hashable {
  /// The kinds of refusal; the engine's errors use the same names.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The range lies outside the source, is empty, or contains nothing to show.
    case emptyRange
    /// The output container does not hold a codec, or cannot express what was requested.
    case codecDoesNotFit
    /// There is no encoder for something that must be encoded.
    case codecMissing
    /// The source's container or codec is one that trim does not cut.
    case notCuttable
    /// The source's times need more than 64 bits.
    case damaged
  }

  /// What kind of refusal it is, for programs that act on it.
  public var code: Code
  /// One user-facing sentence without its period; the caller names the file.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?
  /// Which of several sources it concerns, from 0; `nil` where there is only one, or all are.
  public var source: Int?

  /// Creates a refusal; `message` names no command-line option.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  static let beyondNumbers = PlanRefusal(
    .damaged, "its timestamps overflow 64-bit arithmetic")
}

/// Why there is no plan.
public enum PlanningError: Error, Sendable, Hashable {
  /// The cut is impossible; gathering more facts does not help.
  case refused(PlanRefusal)
  /// Facts must be gathered first; then planning can be repeated.
  case missing(Set<MissingFact>)
}
