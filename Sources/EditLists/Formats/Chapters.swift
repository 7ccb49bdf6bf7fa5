import ExactTime

/// Chapters of formats that write only where each begins: it ends where the next one begins, and the
/// last one at the source's end.
struct Chapters {
  private var open: (start: MediaTime, name: String?, line: ListText.Line)?
  private(set) var parts: [EditList.Part] = []

  mutating func begin(
    at start: MediaTime, name: String?, _ line: ListText.Line
  ) throws(ListError) {
    try close(at: start, line)
    open = (start, name, line)
  }

  /// Ends the last chapter.
  mutating func end(_ context: EditListFormat.Context) throws(ListError) {
    guard let last = open else { return }
    guard let end = context.end else {
      throw last.line.failure("it ends with the source, whose end is not known")
    }
    guard last.start < end else {
      throw last.line.failure("it begins at \(last.start), and the source ends at \(end)")
    }
    try close(at: end, last.line)
    open = nil
  }

  private mutating func close(at end: MediaTime, _ line: ListText.Line) throws(ListError) {
    guard let last = open else { return }
    guard last.start < end, let range = MediaTimeRange(from: last.start, to: end) else {
      throw line.failure(
        "it begins at \(end), which is not after \(last.start), where line "
          + "\(last.line.number) begins")
    }
    parts.append(EditList.Part(range, name: last.name))
  }
}

extension EditList {
  static let lastEnd = "the end of the last part, which is the source's end to a reader"

  /// Refuses parts that do not follow one another without a gap.
  func refuseGaps(_ format: String) throws(ListError) {
    for (index, (part, next)) in zip(parts, parts.dropFirst()).enumerated()
    where part.range.end != next.range.start {
      throw ListError(
        .entry("parts[\(index + 1)]"),
        "\(format) has only starts, and this part does not begin where the one before it ends")
    }
  }
}
