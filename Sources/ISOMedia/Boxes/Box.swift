/// A box in memory (ISO 14496-12, 4.2).
struct Box: Sendable {
  let type: FourCC
  /// Where its header begins in the file.
  let offset: Int64
  /// What follows the header, up to the end of the enclosing box.
  let payload: ByteView

  var fields: FieldReader { FieldReader(payload) }

  /// Padding, which has no content.
  var isPadding: Bool { type == "free" || type == "skip" }

  /// The child boxes, after a number of bytes of fields.
  func children(after fieldBytes: Int = 0) -> BoxSequence {
    BoxSequence(payload.slice(from: fieldBytes))
  }
}

/// The boxes of a container in order, read lazily and without recursion.
///
/// Nesting costs nothing: only the containers that the parser knows are descended into.
struct BoxSequence: Sequence, IteratorProtocol {
  private let view: ByteView
  private var position = 0
  /// What ended the iteration early, with its offset.
  fileprivate(set) var damage: Damage?

  struct Damage {
    var kind: ISOProblem.Kind
    var type: FourCC
    var offset: Int64
    /// How far the stated box size exceeds the parent, or the stated size itself.
    var size: Int64
  }

  init(_ view: ByteView) { self.view = view }

  mutating func next() -> Box? {
    let remaining = view.count - position
    guard remaining >= 8 else { return nil }
    let offset = view.fileOffset + Int64(position)
    var header = 8
    var size = UInt64(view.u32(position))
    let type = view.fourCC(position + 4)
    if size == 1 {
      header = 16
      size = view.u64(position + 8)
    } else if size == 0 {
      // A zero ends QuickTime's user data list; otherwise the box extends to the end of its parent.
      guard type.rawValue != 0 else { return end() }
      size = UInt64(remaining)
    }
    guard size >= UInt64(header), header <= remaining else {
      damage = Damage(
        kind: .malformedBox, type: type, offset: offset, size: Int64(clamping: size))
      // A box with a size below that of its header is only a header, if another box follows it.
      guard holdsBox(at: position + 8) else { return end() }
      position += 8
      return next()
    }
    let length = Int(Swift.min(size, UInt64(remaining)))
    if size > UInt64(remaining) {
      let missing = Int64(Swift.min(size - UInt64(remaining), 1 << 62))
      damage = Damage(kind: .overrunningBox, type: type, offset: offset, size: missing)
    }
    let payload = view.slice(from: position + header, count: length - header)
    position += length
    return Box(type: type, offset: offset, payload: payload)
  }

  private func holdsBox(at position: Int) -> Bool {
    let size = view.u32(position)
    return view.count - position >= 8 && size >= 8 && size <= view.count - position
      && view.fourCC(position + 4).isPrintable
  }

  private mutating func end() -> Box? {
    position = view.count
    return nil
  }
}

extension ProblemLog {
  /// Calls back for each box of a container and notes what is wrong with their sizes.
  mutating func forEachBox(
    in boxes: BoxSequence, of parent: FourCC,
    _ body: (inout ProblemLog, Box) throws(ISOError) -> Void
  ) throws(ISOError) {
    var boxes = boxes
    while let box = boxes.next() {
      noteDamage(&boxes, parent: parent)
      try body(&self, box)
    }
    noteDamage(&boxes, parent: parent)
  }

  private mutating func noteDamage(_ boxes: inout BoxSequence, parent: FourCC) {
    guard let damage = boxes.takeDamage() else { return }
    if damage.kind == .overrunningBox {
      note(
        .overrunningBox, at: damage.offset, count: damage.size,
        "box “\(damage.type)” ends \(damage.size) bytes beyond the enclosing box “\(parent)”")
    } else {
      note(
        damage.kind, at: damage.offset,
        "box “\(damage.type)” in “\(parent)” claims \(damage.size) bytes, less than its own header")
    }
  }
}

extension BoxSequence {
  fileprivate mutating func takeDamage() -> Damage? {
    defer { damage = nil }
    return damage
  }
}
