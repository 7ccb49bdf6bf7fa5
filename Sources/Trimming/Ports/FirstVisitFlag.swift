/// The flag "has visited the trimming screen", stored wherever the app keeps such state.
///
/// It is claimed atomically rather than read and then written: of any number of simultaneous
/// claims, in one process or several, exactly one is told that it was first.
public struct FirstVisitFlag: Sendable {
  /// Claims the flag; returns true exactly once until the flag is reset.
  ///
  /// - Throws: when the flag cannot be stored. The screen does not fail: the tutorial is shown, and will be
  ///   shown again next time.
  public var claim: @Sendable () throws -> Bool
  /// Forgets the visit; not an error when there was none.
  public var reset: @Sendable () throws -> Void
  /// Whether the screen was visited, without claiming anything.
  public var isClaimed: @Sendable () throws -> Bool

  /// Creates a flag from functions that may be called on any thread, concurrently.
  public init(
    claim: @escaping @Sendable () throws -> Bool, reset: @escaping @Sendable () throws -> Void,
    isClaimed: @escaping @Sendable () throws -> Bool
  ) {
    self.claim = claim
    self.reset = reset
    self.isClaimed = isClaimed
  }
}
