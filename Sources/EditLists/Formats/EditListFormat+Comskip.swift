import ExactTime

extension EditListFormat {
  /// comskip's TXT: a header with the rate in hundredths, a rule, and the frames of each commercial.
  ///
  /// Frames are counted from 1: comskip writes `F2T(frame) * fps + 1.5`, and its EDL of the same run
  /// has the second `(n − 1) / rate` for frame n (comskip.c, `F2F`; `OutputCommercialBlock`). The
  /// second frame is the first that is not removed. Older versions write 0 for the source's start.
  public static let comskip = EditListFormat(
    id: "comskip", name: "TXT of comskip", extensions: ["txt"], listsWhatIsKept: false,
    recognises: { $0.lines.first?.text.hasPrefix(comskipHeader) ?? false },
    reads: readComskip, writes: writeComskip)

  private static let comskipHeader = "FILE PROCESSING COMPLETE"

  private static func readComskip(
    _ text: ListText, _ context: Context
  ) throws(ListError) -> EditList {
    guard let header = text.lines.first, header.text.hasPrefix(comskipHeader) else {
      throw ListError(.line(text.lines.first?.number ?? 1), "it does not begin '\(comskipHeader)'")
    }
    let rate = try comskipRate(header, context)
    var list = EditList(rate: rate)
    for line in text.lines.dropFirst() where !line.text.utf8.allSatisfy({ $0 == 0x2D }) {
      let words = line.words
      guard words.count == 2 else {
        throw line.failure("it has \(words.count) fields instead of the first frame and the end")
      }
      let start = try comskipTime(words[0], "start", line, rate)
      let end = try comskipTime(words[1], "end", line, rate)
      list.parts.append(EditList.Part(try line.range(from: start, to: end), isKept: false))
    }
    return list
  }

  private static func comskipRate(
    _ header: ListText.Line, _ context: Context
  ) throws(ListError) -> Rational {
    let words = header.words.dropFirst(3)
    if words.isEmpty {
      guard let rate = context.rate else {
        throw header.failure("it names no frame rate, and the source's is not known")
      }
      return rate
    }
    guard words.count == 4, Int64(words[3]) != nil, words[4] == "FRAMES", words[5] == "AT",
      let hundredths = Int64(words[6]), hundredths > 0
    else {
      throw header.failure("after '\(comskipHeader)' it is not 'n FRAMES AT r', r in hundredths")
    }
    return Rational(hundredths, 100).standardRate(near: context.rate)
  }

  private static func comskipTime(
    _ word: Substring, _ what: String, _ line: ListText.Line, _ rate: Rational
  ) throws(ListError) -> MediaTime {
    guard let frame = Int64(word), word.utf8.first != UInt8(ascii: "+") else {
      throw line.failure("the \(what) '\(ListText.Line.shown(word))' is not a frame")
    }
    guard frame >= 0 else {
      throw line.failure("the \(what) '\(ListText.Line.shown(word))' is negative")
    }
    guard let seconds = try? Rational(max(0, frame - 1)).divided(by: rate) else {
      throw line.failure("the \(what) '\(ListText.Line.shown(word))' is out of range")
    }
    return MediaTime(seconds: seconds)
  }

  private static func writeComskip(_ list: EditList) throws(ListError) -> Written {
    try list.refuse("comskip's TXT", keepsMarkers: false, keeps: false, names: false)
    guard let rate = list.rate else {
      throw ListError(.list, "comskip's TXT counts frames, and the list has no frame rate")
    }
    guard let hundredths = try? rate.multiplied(by: Rational(100)).rounded(.down), hundredths > 0,
      Rational(hundredths, 100).standardRate(near: nil) == rate
    else { throw ListError(.list, "comskip's TXT has no way to write the frame rate \(rate)") }
    var frames = FrameCounts(rate: rate)
    var rows = ""
    var last: Int64 = 0
    for (index, part) in list.parts.enumerated() {
      let range = try frames(part.range, at: .entry("parts[\(index)]"))
      guard range.upperBound < .max else {
        throw ListError(.entry("parts[\(index)]"), "its times are too large for numbers of frames")
      }
      rows += "\(range.lowerBound + 1)\t\(range.upperBound + 1)\n"
      last = max(last, range.upperBound)
    }
    // The list does not know how many frames the source has: as many as it speaks of.
    let text = "\(comskipHeader)  \(last) FRAMES AT  \(hundredths)\n-------------------\n\(rows)"
    let leftOut = list.leftOut.filter { $0 != EditList.frameRate }
    return Written(text: text, rounded: frames.rounded, leftOut: leftOut)
  }
}
