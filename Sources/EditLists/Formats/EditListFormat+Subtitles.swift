import ExactTime

extension EditListFormat {
  /// SubRip: a number, `00:00:01,000 --> 00:00:02,500` and text; each cue is a kept part, named by it.
  ///
  /// A name is the cue's lines, joined by spaces, with their markup. Positions after the times are not
  /// kept.
  public static let subRip = EditListFormat(
    id: "srt", name: "SubRip", extensions: ["srt"],
    recognises: { text in
      guard let first = text.lines.first else { return false }
      return first.isCueTimes
        || first.isCueNumber && text.lines.count > 1 && text.lines[1].isCueTimes
    },
    reads: { text, _ throws(ListError) in
      var list = EditList()
      for block in text.blocks {
        guard let first = block.first else { continue }
        let times = first.isCueNumber && block.count > 1 ? block.startIndex + 1 : block.startIndex
        guard block[times].isCueTimes else {
          throw block[times].failure("it is neither a cue's number nor its times")
        }
        list.parts.append(try block[times...].cue(mark: ",", fields: 3...3))
      }
      return list
    })

  /// WebVTT: cues, each of them a kept part, named by its text (W3C, WebVTT, section 4).
  ///
  /// A name is the cue's lines, joined by spaces, with their markup. Comments, styles, regions, a cue's
  /// identifier and its settings are not kept. `X-TIMESTAMP-MAP` (RFC 8216, section 3.5), which moves
  /// all times by those of another file, is refused.
  public static let webVTT = EditListFormat(
    id: "vtt", name: "WebVTT", extensions: ["vtt"],
    recognises: { $0.lines.first?.words.first == "WEBVTT" },
    reads: { text, _ throws(ListError) in
      guard let header = text.lines.first, header.words.first == "WEBVTT" else {
        throw ListError(.line(text.lines.first?.number ?? 1), "it does not begin with WEBVTT")
      }
      var list = EditList()
      for (index, block) in text.blocks.enumerated() {
        if index == 0 {
          for line in block where line.text.hasPrefix("X-TIMESTAMP-MAP") {
            throw line.failure("X-TIMESTAMP-MAP moves the times by those of a stream")
          }
          for line in block where line.isCueTimes {
            throw line.failure("no blank line is before the first cue")
          }
          continue
        }
        guard let first = block.first else { continue }
        if let word = first.words.first, ["NOTE", "STYLE", "REGION"].contains(word),
          !first.isCueTimes, block.count < 2 || !block[block.startIndex + 1].isCueTimes
        {
          continue
        }
        let times = !first.isCueTimes && block.count > 1 ? block.startIndex + 1 : block.startIndex
        guard block[times].isCueTimes else {
          throw block[times].failure("it is neither a cue's identifier nor its times")
        }
        list.parts.append(try block[times...].cue(mark: ".", fields: 2...3))
      }
      return list
    })
}

extension ListText {
  /// The lines between blank lines.
  fileprivate var blocks: [ArraySlice<Line>] {
    var blocks: [ArraySlice<Line>] = []
    var start = lines.startIndex
    for index in lines.indices.dropFirst() where lines[index].number != lines[index - 1].number + 1
    {
      blocks.append(lines[start..<index])
      start = index
    }
    return blocks + [lines[start...]]
  }
}

extension ListText.Line {
  /// Whether this line has the arrow between the two times of a cue.
  var isCueTimes: Bool { words.dropFirst().first == "-->" }

  var isCueNumber: Bool {
    let words = words
    return words.count == 1 && words[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  func cueTime(
    _ field: Substring, _ what: String, mark: Character, fields: ClosedRange<Int>
  ) throws(ListError) -> MediaTime {
    let halves = field.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
    let clock = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1].utf8.count == 3, fields.contains(clock.count),
      !halves[0].utf8.contains(UInt8(ascii: ".")),
      clock.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      let seconds = Rational(clock: "\(halves[0]).\(halves[1])"[...])
    else {
      throw failure(
        "the \(what) '\(Self.shown(field))' is not a time such as 00:00:01\(mark)500")
    }
    return MediaTime(seconds: seconds)
  }
}

extension ArraySlice<ListText.Line> {
  /// The cue whose times are in the first line.
  fileprivate func cue(
    mark: Character, fields: ClosedRange<Int>
  ) throws(ListError) -> EditList.Part {
    let line = self[startIndex]
    let words = line.words
    guard words.count >= 3 else { throw line.failure("the cue has no end") }
    let start = try line.cueTime(words[0], "start", mark: mark, fields: fields)
    let end = try line.cueTime(words[2], "end", mark: mark, fields: fields)
    for text in dropFirst() where text.isCueTimes {
      throw text.failure("no blank line is between this cue and the one before it")
    }
    let text = dropFirst().map { String($0.text) }.joined(separator: " ")
    return EditList.Part(
      try line.range(from: start, to: end), name: text.isEmpty ? nil : text)
  }
}
