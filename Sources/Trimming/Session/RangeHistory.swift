import ExactTime

/// The ranges to go back to, and the ones gone back from.
struct RangeHistory: Hashable, Sendable {
  /// The oldest step is forgotten beyond this many.
  static let capacity = 1_000

  private(set) var undoable: [MediaTimeRange] = []
  private(set) var redoable: [MediaTimeRange] = []

  /// A new step away from `range`: what was undone can no longer be redone.
  mutating func record(_ range: MediaTimeRange) {
    if undoable.count == Self.capacity { undoable.removeFirst() }
    undoable.append(range)
    redoable.removeAll()
  }

  /// The range before the last step.
  mutating func undo(from current: MediaTimeRange) -> MediaTimeRange? {
    guard let range = undoable.popLast() else { return nil }
    redoable.append(current)
    return range
  }

  mutating func redo(from current: MediaTimeRange) -> MediaTimeRange? {
    guard let range = redoable.popLast() else { return nil }
    undoable.append(current)
    return range
  }
}
