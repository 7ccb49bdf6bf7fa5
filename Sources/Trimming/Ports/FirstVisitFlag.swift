/// The flag "has visited the trimming screen", kept where the app keeps such things.
///
/// It is claimed, not read and then written: of any number that claim at once, in one process or in
/// many, exactly one is told that it was the first.
public struct FirstVisitFlag: Sendable {
  /// True exactly once, until the flag is reset.
  ///
  /// - Throws: when the flag cannot be kept. That is no failure for a screen: the tutorial is shown,
  ///   and will be again.
  public var claim: @Sendable () throws -> Bool
  /// Forgets the visit; no error when there was none.
  public var reset: @Sendable () throws -> Void
  /// Whether the screen was visited, without claiming anything.
  public var isClaimed: @Sendable () throws -> Bool

  /// Creates a flag from functions that may be called on any thread, several at once.
  public init(
    claim: @escaping @Sendable () throws -> Bool, reset: @escaping @Sendable () throws -> Void,
    isClaimed: @escaping @Sendable () throws -> Bool
  ) {
    self.claim = claim
    self.reset = reset
    self.isClaimed = isClaimed
  }
}
