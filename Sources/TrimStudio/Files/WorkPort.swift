/// Where unfinished work is kept.
package struct WorkPort: Sendable {
  /// Nothing is kept.
  package static let nowhere = WorkPort(load: { nil }, keep: { _ in }, forget: {})

  /// What was kept for the file; `nil` for nothing.
  package var load: @Sendable () -> Project?
  /// Keeps work in place of the earlier one; a failure is not reported.
  package var keep: @Sendable (Project) -> Void
  package var forget: @Sendable () -> Void
  /// Whether nothing was kept for the file, but something for another one that had its name and place.
  package var isOfOtherVersion: @Sendable () -> Bool = { false }
  /// Whether somebody else has kept or forgotten work on the file since it was last loaded or kept here.
  package var wasChangedElsewhere: @Sendable () -> Bool = { false }

  package init(
    load: @escaping @Sendable () -> Project?, keep: @escaping @Sendable (Project) -> Void,
    forget: @escaping @Sendable () -> Void
  ) {
    self.load = load
    self.keep = keep
    self.forget = forget
  }
}
