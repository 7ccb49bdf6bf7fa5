/// The parts to go back to, and the ones gone back from.
struct PartHistory: Hashable, Sendable {
  /// The oldest step is forgotten beyond this many.
  static let capacity = 1_000

  private(set) var undoable: [PartList] = []
  private(set) var redoable: [PartList] = []

  /// A new step away from `list`: what was undone can no longer be redone.
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
