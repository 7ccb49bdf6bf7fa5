import ExactTime

extension EditListFormat {
  /// SubStation Alpha, ASS and SSA: each `Dialogue` line is a kept part, named by its text.
  ///
  /// Line breaks (`\N`) are spaces, other markup stays. Comments, styles, and lines of no length are left
  /// out. A `Timer` other than 100 %, which changes the speed, is refused.
  public static let subStation = EditListFormat(
    id: "ass", name: "SubStation Alpha (ASS, SSA)", extensions: ["ass", "ssa"],
    recognises: { text in
      text.lines.first { !$0.text.hasPrefix(";") }?.text.lowercased().hasPrefix("[script info]")
        ?? false
    },
    readsPartly: { text, _, leftOut throws(ListError) in
      var list = EditList()
      var columns: [String]?
      var section = ""
      for line in text.lines {
        if line.text.hasPrefix("[") {
          section = line.text.lowercased()
        } else if section.hasPrefix("[script info]"), let timer = line.value(of: "Timer") {
          let percent = Rational(decimal: timer)
          guard percent == Rational(100) else {
            throw line.failure("a Timer other than 100 changes the speed, which a cut does not do")
          }
        } else if section.hasPrefix("[events]"), let format = line.value(of: "Format") {
          columns = format.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined().lowercased() }
        } else if section.hasPrefix("[events]"), let event = line.value(of: "Dialogue") {
          guard let columns else { throw line.failure("no Format line is before it") }
          if let part = try line.dialogue(event, columns, &leftOut) { list.parts.append(part) }
        }
      }
      return list
    })
}

extension ListText.Line {
  /// The text after a key and its colon.
  func value(of key: String) -> Substring? {
    guard text.hasPrefix(key + ":") else { return nil }
    return Substring(text.utf8.dropFirst(key.utf8.count + 1).drop { $0 == 0x20 })
  }

  fileprivate func dialogue(
    _ event: Substring, _ columns: [String], _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) -> EditList.Part? {
    let fields = event.split(
      separator: ",", maxSplits: max(0, columns.count - 1), omittingEmptySubsequences: false)
    guard fields.count == columns.count else {
      throw failure("it has \(fields.count) fields instead of \(columns.count)")
    }
    func field(_ name: String) throws(ListError) -> Substring {
      guard let index = columns.firstIndex(of: name) else {
        throw failure("the Format line has no '\(name)'")
      }
      return fields[index]
    }
    let (start, end) = (
      try dialogueTime(field("start"), "start"), try dialogueTime(field("end"), "end")
    )
    if start == end {
      leftOut.note(failure("the line has no length"))
      return nil
    }
    let name = Self.shownText(try field("text"))
    return EditList.Part(
      try range(from: start, to: end), name: name.isEmpty ? nil : name)
  }

  /// Hours, minutes, seconds and hundredths: `0:00:01.50`.
  func dialogueTime(_ field: Substring, _ what: String) throws(ListError) -> MediaTime {
    let word = field.split(separator: " ").joined()
    let fields = word.split(separator: ":", omittingEmptySubsequences: false)
    // With another number of digits programs disagree: libass takes `.5` for five hundredths.
    guard fields.count == 3, let seconds = Rational(clock: word[...]),
      word.utf8.dropLast(2).last == UInt8(ascii: "."),
      word.utf8.suffix(2).allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw failure(
        "the \(what) '\(Self.shown(word[...]))' is not a time such as 0:00:01.50")
    }
    return MediaTime(seconds: seconds)
  }

  private static func shownText(_ text: Substring) -> String {
    var shown: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let next = rest.first, "Nnh".utf8.contains(next) {
        rest.removeFirst()
        shown.append(0x20)
      } else {
        shown.append(byte)
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }
}
