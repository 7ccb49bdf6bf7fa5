/// Why a cut cannot be planned: what happened, and a way out.
public struct PlanRefusal: Error, Sendable, Hashable {
  /// The kinds of refusal, which the engine's errors take over under the same names.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The range lies outside the source, is empty, or shows nothing of it.
    case emptyRange
    /// The output's container does not hold a codec, or cannot express what was asked for.
    case codecDoesNotFit
    /// There is no encoder for what must be encoded.
    case codecMissing
    /// The source's container or codec is of a kind that trim does not cut.
    case notCuttable
    /// The source's times need more than 64 bits.
    case damaged
  }

  /// What kind of refusal it is, for programs that act on it.
  public var code: Code
  /// One sentence for people without its end; the caller names the file.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?

  /// Creates a refusal; `message` names no command-line option.
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
  /// There is no such cut; gathering more facts does not help.
  case refused(PlanRefusal)
  /// Facts must be gathered first; then the same question has an answer.
  case missing(Set<MissingFact>)
}
