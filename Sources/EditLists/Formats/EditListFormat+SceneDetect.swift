import ExactTime

extension EditListFormat {
  /// PySceneDetect's list of scenes, each of them kept, with or without the row of cuts before it.
  ///
  /// Since version 0.6 the start frame is counted from 1 and the end frame is the scene's last, before
  /// that both from 0 and the end is not in the scene (`write_scene_list`): the length, which is always
  /// right, tells them apart. A row's times are those of its frames at the source's rate, if that is
  /// known and agrees with the seconds beside them, which have three decimals; otherwise the seconds.
  public static let sceneDetect = EditListFormat(
    id: "scenedetect", name: "CSV of PySceneDetect", extensions: ["csv"],
    recognises: { text in text.lines.prefix(2).contains { $0.isSceneHeader } },
    reads: readScenes)

  private static func readScenes(
    _ text: ListText, _ context: Context
  ) throws(ListError) -> EditList {
    guard let header = text.lines.prefix(2).firstIndex(where: { $0.isSceneHeader }) else {
      throw ListError(.line(text.lines.first?.number ?? 1), "it is no row of PySceneDetect's names")
    }
    var list = EditList(rate: context.rate)
    for line in text.lines[(header + 1)...] {
      let fields = try line.quoted(UInt8(ascii: ","))
      guard fields.count == 10 else {
        throw line.failure("it has \(fields.count) fields instead of 10")
      }
      var numbers: [Int64] = []
      for (column, what) in [(1, "start frame"), (4, "end frame"), (7, "length")] {
        guard let number = Int64(fields[column]), number >= 0 else {
          throw line.failure(
            "the \(what) '\(ListText.Line.shown(fields[column][...]))' is not a number of frames")
        }
        numbers.append(number)
      }
      let (start, end, length) = (numbers[0], numbers[1], numbers[2])
      // Neither difference can overflow: no number is negative.
      let isFromOne = end - start == length - 1
      guard isFromOne ? start > 0 : end - start == length else {
        throw line.failure("it has \(length) frames from frame \(start) to frame \(end)")
      }
      let range = try line.range(
        from: sceneTime(fields[3], isFromOne ? start - 1 : start, "start", line, context.rate),
        to: sceneTime(fields[6], end, "end", line, context.rate))
      list.parts.append(EditList.Part(range))
    }
    return list
  }

  private static func sceneTime(
    _ field: String, _ frame: Int64, _ what: String, _ line: ListText.Line, _ rate: Rational?
  ) throws(ListError) -> MediaTime {
    let stated = try line.seconds(field[...], what)
    // Beside frames of variable rate, whose numbers PySceneDetect estimates, the seconds are right.
    guard let rate, let exact = try? Rational(frame).divided(by: rate),
      let difference = try? exact.subtracting(stated.seconds),
      Rational(-1, 1000) < difference, difference < Rational(1, 1000)
    else { return stated }
    return MediaTime(seconds: exact)
  }
}

extension ListText.Line {
  fileprivate var isSceneHeader: Bool { text.hasPrefix("Scene Number,Start Frame,") }
}
