import ExactTime

extension JSONNode {
  /// The exact value of a number.
  func rational() throws(ListError) -> Rational {
    guard case .number(let text) = tree else {
      throw failure("it is \(tree.kind) instead of a number")
    }
    guard let value = Rational(scientific: text[...]) else {
      throw failure("the number \(ListText.Line.shown(text[...])) has no exact 64-bit fraction")
    }
    return value
  }

  /// An instant in seconds that is not negative.
  func seconds() throws(ListError) -> MediaTime {
    let value = try rational()
    guard !value.isNegative else { throw failure("the time \(value) is negative") }
    return MediaTime(seconds: value)
  }

  /// The range between two instants of this value.
  func range(from start: MediaTime, to end: MediaTime) throws(ListError) -> MediaTimeRange {
    guard let range = MediaTimeRange(from: start, to: end) else {
      throw failure("the end \(end) is before the start \(start)")
    }
    guard !range.isEmpty else { throw failure("the range at \(start) is empty") }
    return range
  }
}
