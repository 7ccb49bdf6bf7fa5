import ExactTime

extension EditListFormat {
  private static let simpleName = "simple chapter text (OGM)"

  /// Chapters in pairs of lines, as OGMtools have them and mkvmerge, MP4Box and HandBrake read them:
  /// `CHAPTER01=00:01:02.500` and `CHAPTER01NAME=Title`, all of them kept.
  ///
  /// A chapter ends where the next begins, the last one at the source's end. Written are milliseconds; up to
  /// nanoseconds are read, after a point or a comma (mkvmerge, "The simple chapter file format").
  public static let simpleChapters = EditListFormat(
    id: "ogm-chapters", name: simpleName, extensions: ["chapters"],
    recognises: { $0.lines.first?.simpleChapter?.isName == false },
    reads: { text, context throws(ListError) in
      var chapters = Chapters()
      var open: SimpleStart?
      for line in text.lines {
        guard let entry = line.simpleChapter else {
          throw line.failure("it is not 'CHAPTERnn=hh:mm:ss.mmm' or 'CHAPTERnnNAME=title'")
        }
        guard entry.isName else {
          if let open { try chapters.begin(at: open.time, name: nil, open.line) }
          open = SimpleStart(
            number: entry.number, time: try line.simpleTime(entry.value), line: line)
          continue
        }
        guard let start = open, start.number == entry.number else {
          throw line.failure("it names a chapter whose time is not in the line before it")
        }
        let name = entry.value.isEmpty ? nil : String(entry.value)
        try chapters.begin(at: start.time, name: name, start.line)
        open = nil
      }
      if let open { try chapters.begin(at: open.time, name: nil, open.line) }
      try chapters.end(context)
      return EditList(parts: chapters.parts)
    },
    writes: { list throws(ListError) in
      try list.refuse(simpleName, keepsMarkers: false, keeps: true, names: true)
      guard !list.parts.isEmpty else { throw ListError(.list, "it has no parts") }
      try list.refuseGaps(simpleName)
      var milliseconds = FrameCounts(rate: Rational(1000))
      var text = ""
      var last: Int64 = -1
      func digits(_ value: Int64, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
      }
      for (index, part) in list.parts.enumerated() {
        let entry = ListError.Place.entry("parts[\(index)]")
        guard let start = milliseconds(part.range.start), start > last else {
          throw ListError(entry, "it begins in the same millisecond as the part before it")
        }
        last = start
        let (seconds, key) = (start / 1000, "CHAPTER" + digits(Int64(index) + 1, 2))
        text += "\(key)=\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):"
        text += "\(digits(seconds % 60, 2)).\(digits(start % 1000, 3))\n"
        let row = "\(key)NAME=\(part.name ?? "")"
        let own = ListText.Line(number: 1, text: row[...]).simpleChapter?.value
        guard own.map(String.init) == part.name ?? "" else {
          throw ListError(entry, "\(simpleName) has no names that begin or end so")
        }
        text += row + "\n"
      }
      return Written(
        text: text, rounded: milliseconds.rounded, leftOut: list.leftOut + [EditList.lastEnd])
    })
}

private struct SimpleStart {
  var number: Int
  var time: MediaTime
  var line: ListText.Line
}

extension ListText.Line {
  /// The number of a chapter, and its time or its name.
  fileprivate var simpleChapter: (number: Int, isName: Bool, value: Substring)? {
    guard text.hasPrefix("CHAPTER"), let equals = text.firstIndex(of: "=") else { return nil }
    let key = text[..<equals].dropFirst("CHAPTER".count)
    let digits = key.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    let value = text[text.index(after: equals)...]
    switch key.dropFirst(digits.count) {
    case "": return (number, false, value)
    case "NAME": return (number, true, value)
    default: return nil
    }
  }

  fileprivate func simpleTime(_ value: Substring) throws(ListError) -> MediaTime {
    let colons = value.utf8.count { $0 == UInt8(ascii: ":") }
    guard colons == 2, let seconds = Rational(clock: value.replacing(",", with: ".")[...]) else {
      throw failure("the start '\(Self.shown(value))' is not hh:mm:ss.mmm")
    }
    return MediaTime(seconds: seconds)
  }
}
