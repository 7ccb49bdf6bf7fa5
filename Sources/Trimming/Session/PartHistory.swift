/// The undo and redo stacks of part lists.
struct PartHistory: Hashable, Sendable {
  /// The maximum number of undo steps; beyond it the oldest is dropped.
  static let capacity = 1_000

  private(set) var undoable: [PartList] = []
  private(set) var redoable: [PartList] = []

  /// Records `list` as the state before a new step; this clears the redo stack.
  mutating func record(_ list: PartList) {
    if undoable.count == Self.capacity { undoable.removeFirst() }
    undoable.append(list)
    redoable.removeAll()
  }

  /// The parts before the last step.
  mutating func undo(from current: PartList) -> PartList? {
    guard let list = undoable.popLast() else { return nil }
    redoable.append(current)
    return list
  }

  mutating func redo(from current: PartList) -> PartList? {
    guard let list = redoable.popLast() else { return nil }
    undoable.append(current)
    return list
  }
}
