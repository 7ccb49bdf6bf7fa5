import ExactTime

extension EditListFormat {
  /// Chapters as YouTube reads them from a description: `0:00 Intro`, one in a line, all of them kept.
  ///
  /// A chapter ends where the next begins, the last one at the source's end. A dash, colon or bar
  /// between time and title is not part of the title. YouTube wants the first at `0:00` (YouTube Help,
  /// "Video chapters"), and so does the writer; times are whole seconds.
  public static let youTube = EditListFormat(
    id: "youtube", name: "chapter text of YouTube", extensions: ["txt"],
    recognises: { text in
      guard let first = text.lines.first, !first.text.utf8.contains(UInt8(ascii: "\t")) else {
        return false
      }
      return first.youTubeChapter != nil && !isEDL(first.words) && !first.isCueTimes
    },
    reads: { text, context throws(ListError) in
      var chapters = Chapters()
      for line in text.lines {
        guard let chapter = line.youTubeChapter else {
          throw line.failure("it does not begin with a time such as 1:23")
        }
        try chapters.begin(at: chapter.start, name: chapter.name, line)
      }
      try chapters.end(context)
      return EditList(parts: chapters.parts)
    },
    writes: { list throws(ListError) in
      let format = "chapter text of YouTube"
      try list.refuse(format, keepsMarkers: false, keeps: true, names: true)
      guard let first = list.parts.first else { throw ListError(.list, "it has no parts") }
      guard first.range.start == .zero else {
        throw ListError(.entry("parts[0]"), "\(format) begins at 0:00, and this part does not")
      }
      try list.refuseGaps(format)
      var seconds = FrameCounts(rate: .one)
      var text = ""
      var last: Int64 = -1
      func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
      for (index, part) in list.parts.enumerated() {
        let entry = ListError.Place.entry("parts[\(index)]")
        guard let start = seconds(part.range.start), start > last else {
          throw ListError(entry, "it begins in the same second as the part before it")
        }
        last = start
        // An hour has two digits of minutes after it, and zero hours are left out.
        let minutes = start < 3600 ? "\(start / 60)" : "\(start / 3600):\(two(start / 60 % 60))"
        let row = "\(minutes):\(two(start % 60)) \(part.name ?? "")"
        guard ListText.Line(number: 1, text: row[...]).youTubeChapter?.name == part.name else {
          throw ListError(entry, "\(format) has no names that begin or end so")
        }
        text += row + "\n"
      }
      return Written(
        text: text, rounded: seconds.rounded, leftOut: list.leftOut + [EditList.lastEnd])
    })
}

extension ListText.Line {
  /// The time at the start of a line, and the text after it, if there is any.
  fileprivate var youTubeChapter: (start: MediaTime, name: String?)? {
    guard let clock = words.first, clock.utf8.contains(UInt8(ascii: ":")),
      !clock.utf8.contains(UInt8(ascii: ".")), let seconds = Rational(clock: clock)
    else { return nil }
    var title = words.dropFirst()
    if let mark = title.first, ["-", "–", "—", ":", "|"].contains(mark) {
      title = title.dropFirst()
    }
    guard let start = title.first?.startIndex, let end = title.last?.endIndex else {
      return (MediaTime(seconds: seconds), nil)
    }
    return (MediaTime(seconds: seconds), String(text[start..<end]))
  }
}
