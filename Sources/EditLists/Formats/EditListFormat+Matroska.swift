import ExactTime

extension EditListFormat {
  /// Chapters of Matroska as XML, as mkvmerge reads and mkvextract writes them: each is a kept part.
  ///
  /// Of several editions it is the default one, else the first. The chapters of an ordered edition are
  /// parts in its order (RFC 9559, section 20.1.3); one of another file is refused by its
  /// `ChapterSegmentUUID`. A list that is not in the order of its times is written as an ordered edition.
  public static let matroska = EditListFormat(
    id: "mkv-chapters", name: "chapter XML of Matroska", extensions: ["xml"], root: "Chapters",
    reads: { root, context, leftOut throws(ListError) in
      let editions = root.all("EditionEntry")
      guard !editions.isEmpty else { throw root.failure("it has no EditionEntry") }
      let chosen = editions.firstIndex { $0.has("EditionFlagDefault", 1) } ?? 0
      let edition = editions[chosen]
      for (index, other) in editions.enumerated() where index != chosen {
        leftOut.note(other.failure("another edition"))
      }
      return EditList(parts: try edition.matroskaParts(context, &leftOut))
    },
    writes: writeMatroska)

  private static func writeMatroska(_ list: EditList) throws(ListError) -> Written {
    try list.refuse("chapter XML", keepsMarkers: false, keeps: true, names: true)
    guard !list.parts.isEmpty else { throw ListError(.list, "it has no parts") }
    let isOrdered = zip(list.parts, list.parts.dropFirst()).contains {
      $1.range.start < $0.range.end
    }
    var nanoseconds = FrameCounts(rate: Rational(1_000_000_000))
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Chapters>\n  <EditionEntry>\n"
    if isOrdered { text += "    <EditionFlagOrdered>1</EditionFlagOrdered>\n" }
    for (index, part) in list.parts.enumerated() {
      let range = try nanoseconds(part.range, at: .entry("parts[\(index)]"))
      text += "    <ChapterAtom>\n"
      text += "      <ChapterTimeStart>\(clock(range.lowerBound))</ChapterTimeStart>\n"
      text += "      <ChapterTimeEnd>\(clock(range.upperBound))</ChapterTimeEnd>\n"
      if let name = part.name {
        text += "      <ChapterDisplay>\n"
        text += "        <ChapterString>\(name.markup)</ChapterString>\n"
        text += "        <ChapterLanguage>und</ChapterLanguage>\n      </ChapterDisplay>\n"
      }
      text += "    </ChapterAtom>\n"
    }
    text += "  </EditionEntry>\n</Chapters>\n"
    return Written(text: text, rounded: nanoseconds.rounded, leftOut: list.leftOut)
  }

  private static func clock(_ nanoseconds: Int64) -> String {
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
      + ".\(digits(rest, 9))"
  }
}

extension MarkupElement {
  /// Whether a child has this number.
  fileprivate func has(_ child: String, _ number: Int) -> Bool {
    first(child).map { Int($0.value) == number } ?? false
  }

  /// The chapters of an edition that are shown.
  fileprivate func matroskaParts(
    _ context: EditListFormat.Context, _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) -> [EditList.Part] {
    let isOrdered = has("EditionFlagOrdered", 1)
    var shown: [MarkupElement] = []
    for atom in all("ChapterAtom") {
      for name in ["ChapterSegmentUUID", "ChapterSegmentUID", "ChapterSegmentEditionUID"] {
        guard let segment = atom.first(name), !segment.value.isEmpty else { continue }
        throw segment.failure("the chapter is of another file, which is not opened")
      }
      if let nested = atom.first("ChapterAtom") {
        let inner = nested.failure("a chapter within a chapter")
        guard !isOrdered else { throw inner }
        leftOut.note(inner)
      }
      if atom.has("ChapterFlagEnabled", 0) {
        leftOut.note(atom.failure("the chapter is not enabled"))
      } else if atom.has("ChapterFlagHidden", 1), !isOrdered {
        leftOut.note(atom.failure("the chapter is hidden"))
      } else {
        shown.append(atom)
      }
    }
    var parts: [EditList.Part] = []
    for (index, atom) in shown.enumerated() {
      let next = index + 1 < shown.count ? shown[index + 1] : nil
      parts.append(
        try atom.matroskaPart(before: isOrdered ? nil : next, isOrdered, context, &leftOut))
    }
    return parts
  }

  private func matroskaPart(
    before next: MarkupElement?, _ isOrdered: Bool, _ context: EditListFormat.Context,
    _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) -> EditList.Part {
    guard let start = try matroskaTime("ChapterTimeStart") else {
      throw failure("it has no ChapterTimeStart")
    }
    var end = try matroskaTime("ChapterTimeEnd")
    if end == nil {
      guard !isOrdered else {
        throw failure("it has no ChapterTimeEnd, and its edition is ordered")
      }
      end = try next?.matroskaTime("ChapterTimeStart") ?? context.end
    }
    guard let end else {
      throw failure("it ends with the source, whose end is not known")
    }
    guard start < end, let range = MediaTimeRange(from: start, to: end) else {
      throw failure("the end \(end) is not after the start \(start)")
    }
    let displays = all("ChapterDisplay")
    for other in displays.dropFirst() {
      leftOut.note(other.failure("its name in another language"))
    }
    let name = displays.first?.first("ChapterString")?.text
    return EditList.Part(range, name: name?.isEmpty == true ? nil : name)
  }

  private func matroskaTime(_ name: String) throws(ListError) -> MediaTime? {
    guard let child = first(name) else { return nil }
    let text = child.value
    guard let seconds = Rational(clock: text[...]), text.utf8.contains(UInt8(ascii: ":")) else {
      throw child.failure(
        "'\(ListText.Line.shown(text[...]))' is not a time such as 00:00:01.500000000")
    }
    return MediaTime(seconds: seconds)
  }
}
