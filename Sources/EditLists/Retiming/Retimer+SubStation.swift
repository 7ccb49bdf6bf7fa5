import ExactTime

extension Retimer {
  /// SubStation Alpha, in hundredths of a second: lines of `Dialogue`, and those of `Comment` that have a
  /// length; templates, which have none, stay.
  ///
  /// Effects count from the start of their line, and so begin where a clipped line begins. A `Timer` other
  /// than 100 % is refused.
  static let subStation = Retimer(format: .subStation) { bytes, map throws(ListError) in
    let text = RawText(bytes)
    var columns: [String]?
    var section = ""
    var events: [Int: SubStationEvent] = [:]
    for (index, line) in text.lines.enumerated() {
      if line.content.first == UInt8(ascii: "[") {
        section = line.text.text.lowercased()
      } else if section.hasPrefix("[script info]"), let timer = line.text.value(of: "Timer") {
        guard Rational(decimal: timer) == Rational(100) else {
          throw line.text.failure(
            "a Timer other than 100 changes the speed, which a cut does not do")
        }
      } else if section.hasPrefix("[events]"), let format = line.text.value(of: "Format") {
        columns = format.split(separator: ",", omittingEmptySubsequences: false)
          .map { $0.split(separator: " ").joined().lowercased() }
      } else if section.hasPrefix("[events]"),
        let event = try SubStationEvent(line, columns, cue: events.count)
      {
        events[index] = event
      }
    }
    guard text.lines.contains(where: { $0.text.text.lowercased().hasPrefix("[events]") }) else {
      throw ListError(.list, "it has no [Events]")
    }
    var tally = CueTally(map, unit: Rational(100), cues: events.count)
    var output = RawOutput(text)
    let first = events.keys.min() ?? text.lines.count
    let last = events.keys.max() ?? -1
    for line in text.lines[..<first] { output.append(line.whole) }
    for (count, pass) in map.passes.enumerated() where first <= last {
      for index in first...last {
        let line = text.lines[index]
        guard let event = events[index] else {
          if count == 0 { output.append(line.whole) }
          continue
        }
        guard
          let times = try tally.times(
            of: event.cue, event.range, in: pass, at: .line(line.number))
        else { continue }
        output.endLine()
        output.append(event.bytes(times, of: line))
      }
    }
    if last + 1 < text.lines.count {
      output.endLine()
      for line in text.lines[max(first, last + 1)...] { output.append(line.whole) }
    }
    return tally.result(output.bytes)
  }
}

/// A line with the two times of an event.
private struct SubStationEvent {
  let cue: Int
  let range: MediaTimeRange
  private let start: ArraySlice<UInt8>
  private let end: ArraySlice<UInt8>

  /// `nil` for another line.
  init?(_ line: RawText.Line, _ columns: [String]?, cue: Int) throws(ListError) {
    let text = line.text
    guard let colon = line.content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let key = line.content[..<colon]
    let isComment = key.elementsEqual("Comment".utf8)
    guard isComment || key.elementsEqual("Dialogue".utf8) else { return nil }
    guard let columns else { throw text.failure("no Format line is before it") }
    let fields = line.content[(colon + 1)...].split(
      separator: UInt8(ascii: ","), maxSplits: max(0, columns.count - 1),
      omittingEmptySubsequences: false)
    guard fields.count == columns.count else {
      throw text.failure("it has \(fields.count) fields instead of \(columns.count)")
    }
    func field(_ name: String) throws(ListError) -> (ArraySlice<UInt8>, MediaTime) {
      guard let index = columns.firstIndex(of: name) else {
        throw text.failure("the Format line has no '\(name)'")
      }
      let time = try text.dialogueTime(
        String(decoding: fields[index], as: UTF8.self)[...], name)
      return (fields[index].words.first ?? fields[index], time)
    }
    let (first, last) = (try field("start"), try field("end"))
    guard let range = MediaTimeRange(from: first.1, to: last.1) else {
      throw text.failure("the end \(last.1) is before the start \(first.1)")
    }
    if isComment, range.isEmpty { return nil }
    (start, end) = (first.0, last.0)
    self.range = range
    self.cue = cue
  }

  /// The line with other times, in hundredths of a second.
  func bytes(_ times: (start: Int64, end: Int64), of line: RawText.Line) -> [UInt8] {
    func spelled(_ time: Int64, _ old: MediaTime, _ field: ArraySlice<UInt8>) -> [UInt8] {
      if old == MediaTime(seconds: Rational(time, 100)) { return Array(field) }
      let seconds = time / 100
      let clock = "\(seconds / 3600):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
      return Array("\(clock).\(digits(time % 100, 2))".utf8)
    }
    // SSA 4 and ASS have the start before the end, but a Format line may say otherwise.
    var edits = [(start, spelled(times.start, range.start, start))]
    edits.append((end, spelled(times.end, range.end, end)))
    var bytes: [UInt8] = []
    var position = line.whole.startIndex
    for (field, text) in edits.sorted(by: { $0.0.startIndex < $1.0.startIndex }) {
      bytes += line.whole[position..<field.startIndex] + text
      position = field.endIndex
    }
    return bytes + line.whole[position...]
  }
}
