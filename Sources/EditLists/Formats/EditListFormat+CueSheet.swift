import ExactTime

extension EditListFormat {
  /// A cue sheet: each track from its `INDEX 01` to the next track's is a kept part, named by its title.
  ///
  /// Times are `mm:ss:ff` with 75 frames a second, counted from 0 (CDRWIN's documentation, "INDEX").
  /// The last track of the file ends with it. An index from 02 on is a marker; `INDEX 00`, which begins
  /// the pause before a track, changes no part. Other tags are not kept. Silence that the file does not
  /// hold (`PREGAP`, `POSTGAP`), tracks of data and a second file, whose end is not known, are refused.
  public static let cue = EditListFormat(
    id: "cue", name: "cue sheet", extensions: ["cue"],
    recognises: { text in
      guard let first = text.lines.first?.words.first.map(String.init) else { return false }
      return (["FILE", "TRACK"].contains(first) || cueTags.contains(first))
        && text.lines.contains { $0.words.first == "TRACK" }
    },
    reads: readCue, writes: writeCue)

  /// Commands that say nothing about times.
  private static let cueTags: Set<String> = [
    "REM", "TITLE", "PERFORMER", "SONGWRITER", "CATALOG", "CDTEXTFILE", "ISRC", "FLAGS",
  ]
  private static let cueFrames = Rational(75)

  private static func readCue(_ text: ListText, _ context: Context) throws(ListError) -> EditList {
    var list = EditList()
    var chapters = Chapters()
    // A track is begun when all of it is known, since its title may follow its index.
    var track: CueTrack?
    for line in text.lines {
      let command = line.words.first.map(String.init) ?? ""
      switch command {
      case "FILE":
        guard list.sources[0].hint == nil else {
          throw line.failure(
            "a second file is named, and where the one before it ends is not known")
        }
        let name = try line.cueText()
        guard !name.isEmpty else { throw line.failure("it names no file") }
        list.sources[0].hint = name
      case "TRACK":
        guard list.sources[0].hint != nil else { throw line.failure("no FILE is before it") }
        let words = line.words
        guard words.count == 3, let number = Int(words[1]), number > 0 else {
          throw line.failure("it is not 'TRACK nn AUDIO'")
        }
        guard words[2] == "AUDIO" else {
          throw line.failure("'\(ListText.Line.shown(words[2]))' is a track of data")
        }
        try track?.begin(&chapters)
        track = CueTrack(line: line)
      case "INDEX":
        guard track != nil else { throw line.failure("no TRACK is before it") }
        let (number, time) = try line.cueIndex()
        if number == 1 {
          guard track?.start == nil else { throw line.failure("the track has INDEX 01 twice") }
          track?.start = (time, line)
        } else if number > 1 {
          list.markers.append(EditList.Marker(time))
        }
      case "PREGAP", "POSTGAP":
        throw line.failure("\(command) is silence that the file does not hold")
      case "TITLE":
        let title = try line.cueText()
        if track != nil, !title.isEmpty { track?.title = title }
      default:
        guard cueTags.contains(command) else {
          throw line.failure("'\(ListText.Line.shown(command[...]))' is no command of a cue sheet")
        }
      }
    }
    guard track != nil else { throw ListError(.list, "it has no tracks") }
    try track?.begin(&chapters)
    try chapters.end(context)
    list.parts = chapters.parts
    return list
  }

  private static func writeCue(_ list: EditList) throws(ListError) -> Written {
    let format = "a cue sheet"
    try list.refuse(format, keepsMarkers: false, keeps: true, names: true)
    guard !list.parts.isEmpty else { throw ListError(.list, "it has no parts") }
    try list.refuseGaps(format)
    guard let file = list.sources.first?.hint, !file.isEmpty else {
      throw ListError(.list, "\(format) names its file, and this source has no name")
    }
    guard !file.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") }) else {
      throw ListError(.list, "\(format) has no file names with quotes or line breaks")
    }
    var frames = FrameCounts(rate: cueFrames)
    var text = "FILE \"\(file)\" WAVE\n"
    var last: Int64 = -1
    for (index, part) in list.parts.enumerated() {
      let entry = ListError.Place.entry("parts[\(index)]")
      guard index < 99 else { throw ListError(entry, "\(format) has at most 99 tracks") }
      guard let start = frames(part.range.start), start > last else {
        throw ListError(entry, "it begins in the same frame, 1/75 s, as the part before it")
      }
      last = start
      func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
      text += "  TRACK \(two(Int64(index) + 1)) AUDIO\n"
      if let name = part.name {
        guard !name.utf8.contains(UInt8(ascii: "\"")) else {
          throw ListError(entry, "\(format) has no names with quotes")
        }
        text += "    TITLE \"\(name)\"\n"
      }
      let clock = "\(two(start / 75 / 60)):\(two(start / 75 % 60)):\(two(start % 75))"
      text += "    INDEX 01 \(clock)\n"
    }
    let leftOut = list.leftOut.filter { $0 != EditList.sourceName } + [EditList.lastEnd]
    return Written(text: text, rounded: frames.rounded, leftOut: leftOut)
  }
}

private struct CueTrack {
  let line: ListText.Line
  var title: String?
  var start: (time: MediaTime, line: ListText.Line)?

  init(line: ListText.Line) { self.line = line }

  func begin(_ chapters: inout Chapters) throws(ListError) {
    guard let start else { throw line.failure("the track has no INDEX 01") }
    try chapters.begin(at: start.time, name: title, start.line)
  }
}

extension ListText.Line {
  /// The text after the command, with or without quotes; a file's type after it is left out.
  fileprivate func cueText() throws(ListError) -> String {
    let words = words
    guard words.count > 1 else { return "" }
    let rest = text.utf8[words[1].startIndex...]
    guard rest.first == UInt8(ascii: "\"") else {
      let isFile = words[0] == "FILE" && words.count > 2
      let last = words[isFile ? words.count - 2 : words.count - 1]
      return String(text[words[1].startIndex..<last.endIndex])
    }
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else {
      throw failure("a quoted text does not end in this line")
    }
    return String(Substring(rest.dropFirst()[..<end]))
  }

  fileprivate func cueIndex() throws(ListError) -> (number: Int, time: MediaTime) {
    let words = words
    guard words.count == 3, let number = Int(words[1]), (0...99).contains(number) else {
      throw failure("it is not 'INDEX nn mm:ss:ff'")
    }
    let fields = words[2].split(separator: ":", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { field in
      field.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(field) : nil
    }
    guard fields.count == 3, numbers.count == 3, numbers[1] < 60, numbers[2] < 75,
      let frames = try? Rational(checked: Int128(numbers[0]) * 60 + Int128(numbers[1]), over: 1)
        .multiplied(by: Rational(75)).adding(Rational(numbers[2])),
      let seconds = try? frames.divided(by: Rational(75))
    else {
      throw failure("'\(Self.shown(words[2]))' is not minutes, seconds and frames of 1/75 s")
    }
    return (number, MediaTime(seconds: seconds))
  }
}
