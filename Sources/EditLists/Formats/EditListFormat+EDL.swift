import ExactTime

extension EditListFormat {
  /// MPlayer's edit decision list, as comskip writes it and Kodi reads it: `start end action`.
  ///
  /// Actions 0 (cut) and 3 (commercial break) are removed; 2 is a scene mark, at the end, as Kodi has
  /// it, and so are lines without a third field. A mute (1) is refused, unless it is to be ignored. Times are seconds, and as
  /// Kodi's `ReadEdl` has it also `HH:MM:SS.sss`, or `#` and a frame, counted from 0.
  public static let edl = EditListFormat(
    id: "edl", name: "EDL of comskip, Kodi and MPlayer", extensions: ["edl"],
    listsWhatIsKept: false,
    recognises: isEDL,
    readsPartly: readEDL, writes: writeEDL)

  @Sendable static func isEDL(_ text: ListText) -> Bool {
    let lines = text.lines.filter { !$0.text.hasPrefix("##") }
    guard let first = lines.first else { return false }
    return isEDL(first.words) && !first.isAudacity
      && lines.allSatisfy { isEDL($0.words) || $0.words.count != 3 }
  }

  static func isEDL(_ words: [Substring]) -> Bool {
    words.count == 3 && ["0", "1", "2", "3"].contains(words[2])
      && words[0...1].allSatisfy { isEDLTime($0) }
  }

  private static func isEDLTime(_ word: Substring) -> Bool {
    word.hasPrefix("#")
      ? Int64(word.dropFirst()) != nil
      : Rational(clock: word.hasPrefix("-") ? word.dropFirst() : word) != nil
  }

  private static func readEDL(
    _ text: ListText, _ context: Context, _ leftOut: inout LeftOut
  ) throws(ListError) -> EditList {
    var list = EditList()
    for line in text.lines where !line.text.hasPrefix("##") {
      let words = line.words
      guard words.count == 2 || words.count == 3 else {
        throw line.failure("it has \(words.count) fields instead of start, end and action")
      }
      let start = try edlTime(words[0], "start", line, context)
      if words.count == 2 {
        guard words[1] == "2" else {
          throw line.failure("its action '\(ListText.Line.shown(words[1]))' needs an end")
        }
        list.markers.append(EditList.Marker(start))
        continue
      }
      let end = try edlTime(words[1], "end", line, context)
      switch words[2] {
      case "0", "3":
        list.parts.append(EditList.Part(try line.range(from: start, to: end), isKept: false))
      case "1":
        let mute = line.failure("it mutes sound, which a cut does not do")
        guard context.ignoresMutes else { throw mute }
        leftOut.note(mute)
      case "2":
        guard start <= end else {
          throw line.failure("the end \(end) is before the start \(start)")
        }
        list.markers.append(EditList.Marker(end))
      default:
        throw line.failure("the action '\(ListText.Line.shown(words[2]))' is none of 0, 1, 2 and 3")
      }
    }
    return list
  }

  private static func edlTime(
    _ word: Substring, _ what: String, _ line: ListText.Line, _ context: Context
  ) throws(ListError) -> MediaTime {
    if word.hasPrefix("#") {
      guard let frame = Rational(decimal: word.dropFirst()), frame.denominator == 1 else {
        throw line.failure("the \(what) '\(ListText.Line.shown(word))' is not a frame")
      }
      guard let rate = context.rate else {
        throw line.failure("it counts frames, and the source's frame rate is not known")
      }
      guard let seconds = try? frame.divided(by: rate) else {
        throw line.failure("the \(what) '\(ListText.Line.shown(word))' is out of range")
      }
      return MediaTime(seconds: seconds)
    }
    if word.utf8.contains(UInt8(ascii: ":")), let seconds = Rational(clock: word) {
      return MediaTime(seconds: seconds)
    }
    return try line.seconds(word, what)
  }

  private static func writeEDL(_ list: EditList) throws(ListError) -> Written {
    try list.refuse("an EDL", keepsMarkers: true, keeps: false, names: false)
    var seconds = DecimalSeconds()
    var text = ""
    for part in list.parts {
      text += "\(seconds(part.range.start, places: 2))\t\(seconds(part.range.end, places: 2))\t0\n"
    }
    for marker in list.markers {
      let time = seconds(marker.time, places: 2)
      text += "\(time)\t\(time)\t2\n"
    }
    return Written(text: text, rounded: seconds.rounded, leftOut: list.leftOut)
  }
}
