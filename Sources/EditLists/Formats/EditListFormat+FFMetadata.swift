import ExactTime

extension EditListFormat {
  /// FFmpeg's metadata file: each `[CHAPTER]` is a kept part, named by its title.
  ///
  /// Times count a chapter's own time base, or nanoseconds (FFmpeg, "Metadata"; ffmetadec.c). Other
  /// tags and the tags of streams are not kept. A chapter without an end is refused.
  public static let ffmetadata = EditListFormat(
    id: "ffmetadata", name: "metadata of FFmpeg", extensions: ["ffmetadata", "ffmeta"],
    recognises: { $0.lines.first?.text.hasPrefix(";FFMETADATA") ?? false },
    reads: readFFMetadata, writes: writeFFMetadata)

  private static func readFFMetadata(
    _ text: ListText, _ context: Context
  ) throws(ListError) -> EditList {
    guard let first = text.lines.first, first.text.hasPrefix(";FFMETADATA") else {
      throw ListError(.line(text.lines.first?.number ?? 1), "it does not begin with ;FFMETADATA1")
    }
    guard first.words.first == ";FFMETADATA1" else {
      throw first.failure("only version 1 of FFmpeg's metadata is known")
    }
    var list = EditList()
    var chapter: FFChapter?
    var index = 1
    while index < text.lines.count {
      let line = text.lines[index]
      let entry = text.ffmetadataEntry(&index)
      if line.text.hasPrefix(";") || line.text.hasPrefix("#") { continue }
      if line.text.hasPrefix("[") {
        if let chapter { list.parts.append(try chapter.part()) }
        chapter = line.text.hasPrefix("[CHAPTER]") ? FFChapter(line: line) : nil
        continue
      }
      guard let (key, value) = entry else { throw line.failure("it is no 'key=value'") }
      try chapter?.set(key, value, line)
    }
    if let chapter { list.parts.append(try chapter.part()) }
    return list
  }

  private static func writeFFMetadata(_ list: EditList) throws(ListError) -> Written {
    try list.refuse(
      "FFmpeg's metadata", keepsMarkers: false, keeps: true, names: true, lines: true)
    var text = ";FFMETADATA1\n"
    var rounded = 0
    for (index, part) in list.parts.enumerated() {
      let (start, end) = (part.range.start.seconds, part.range.end.seconds)
      let rest = Int128(
        greatestCommonDivisor(start.denominator.magnitude, end.denominator.magnitude))
      let exact = Int128(start.denominator) / rest * Int128(end.denominator)
      // FFmpeg reads the two numbers of a time base as 32 bits.
      let perSecond = Rational(exact <= Int128(Int32.max) ? Int64(exact) : 1_000_000_000)
      var ticks = FrameCounts(rate: perSecond)
      let range = try ticks(part.range, at: .entry("parts[\(index)]"))
      rounded += ticks.rounded
      text += "[CHAPTER]\nTIMEBASE=1/\(perSecond)\nSTART=\(range.lowerBound)\n"
      text += "END=\(range.upperBound)\n"
      guard let name = part.name else { continue }
      let escaped = name.unicodeScalars.map {
        "=;#\\\n".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)"
      }
      text += "title=\(escaped.joined())\n"
    }
    return Written(text: text, rounded: rounded, leftOut: list.leftOut)
  }
}

private struct FFChapter {
  let line: ListText.Line
  private var timeBase = Rational(1, 1_000_000_000)
  private var start: Int64?
  private var end: Int64?
  private var name: String?

  init(line: ListText.Line) { self.line = line }

  mutating func set(_ key: String, _ value: String, _ line: ListText.Line) throws(ListError) {
    switch key {
    case "TIMEBASE":
      guard start == nil, end == nil else { throw line.failure("TIMEBASE is after the times") }
      let numbers = value.split(separator: "/", omittingEmptySubsequences: false)
      guard numbers.count == 2, let over = Int64(numbers[0]), let under = Int64(numbers[1]),
        over > 0,
        under > 0
      else {
        throw line.failure("the time base '\(ListText.Line.shown(value[...]))' is no fraction")
      }
      timeBase = Rational(over, under)
    case "START": start = try ticks(value, "start", line)
    case "END": end = try ticks(value, "end", line)
    case "title": name = value.isEmpty ? nil : value
    default: break
    }
  }

  private func ticks(
    _ value: String, _ what: String, _ line: ListText.Line
  ) throws(ListError) -> Int64 {
    let shown = ListText.Line.shown(value[...])
    guard let ticks = Int64(value) else {
      throw line.failure("the \(what) '\(shown)' is no integer")
    }
    guard ticks >= 0 else { throw line.failure("the \(what) '\(shown)' is negative") }
    return ticks
  }

  func part() throws(ListError) -> EditList.Part {
    guard let start else { throw line.failure("the chapter has no START") }
    guard let end else { throw line.failure("the chapter has no END") }
    guard let first = try? Rational(start).multiplied(by: timeBase),
      let last = try? Rational(end).multiplied(by: timeBase)
    else { throw line.failure("the chapter's times are out of range") }
    let range = try line.range(from: MediaTime(seconds: first), to: MediaTime(seconds: last))
    return EditList.Part(range, name: name)
  }
}

extension ListText {
  /// The key and value that begin in a line, unescaped; a backslash takes a line break with it.
  fileprivate func ffmetadataEntry(_ index: inout Int) -> (key: String, value: String)? {
    var (key, value) = ("", "")
    var hasKey = false
    while true {
      let line = lines[index]
      index += 1
      var isEscaped = false
      for scalar in line.text.unicodeScalars {
        if !isEscaped, scalar == "\\" {
          isEscaped = true
          continue
        }
        if !isEscaped, !hasKey, scalar == "=" {
          hasKey = true
        } else if hasKey {
          value.unicodeScalars.append(scalar)
        } else {
          key.unicodeScalars.append(scalar)
        }
        isEscaped = false
      }
      guard isEscaped else { break }
      if hasKey { value += "\n" } else { key += "\n" }
      // A blank line ends the value, and so does the end of the text.
      guard index < lines.count, lines[index].number == line.number + 1 else { break }
    }
    return hasKey ? (key, value) : nil
  }
}
