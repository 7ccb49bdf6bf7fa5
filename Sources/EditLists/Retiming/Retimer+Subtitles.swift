import ExactTime

extension Retimer {
  /// SubRip, in milliseconds.
  ///
  /// A cue is all from its number, or its times, to the next cue. Where cues are dropped or repeated and the
  /// file's numbers count them, the new ones do as well.
  static let subRip = Retimer(format: .subRip) { bytes, map throws(ListError) in
    let text = RawText(bytes)
    let starts = text.lines.indices.filter { text.lines[$0].text.isCueTimes }
    guard let first = starts.first else {
      throw ListError(.list, "it has no line with the times of a cue")
    }
    let begins = starts.map { $0 > 0 && text.lines[$0 - 1].text.isCueNumber ? $0 - 1 : $0 }
    var tally = CueTally(map, unit: Rational(1000), cues: starts.count)
    let cues = try starts.map { (index) throws(ListError) in
      try TimingLine(text.lines[index], mark: ",", fields: 3...3)
    }
    let numbers = zip(begins, starts).compactMap { begin, start in
      begin < start ? Int64(text.lines[begin].text.text.split(separator: " ").joined()) : nil
    }
    let counts =
      numbers.count == starts.count && zip(numbers, numbers.dropFirst()).allSatisfy { $1 - 1 == $0 }
    var number = numbers.first ?? 1
    var output = RawOutput(text)
    for line in text.lines[..<min(first, begins[0])] { output.append(line.whole) }
    for pass in map.passes {
      for (index, cue) in cues.enumerated() {
        guard let times = try tally.times(of: index, cue.range, in: pass, at: cue.place) else {
          continue
        }
        if tally.written > 1 { output.endParagraph() }
        let end = index + 1 < begins.count ? begins[index + 1] : text.lines.count
        for place in begins[index]..<end {
          let line = text.lines[place]
          if place == starts[index] {
            output.append(cue.bytes(times, of: line))
          } else if counts, place < starts[index] {
            output.append("\(number)".utf8)
            output.append(line.whole[line.content.endIndex...])
          } else {
            output.append(line.whole)
          }
        }
        number += 1
      }
    }
    return tally.result(output.bytes)
  }

  /// WebVTT, in milliseconds; times inside of a cue's text move as well (W3C, WebVTT, 4.2.2).
  ///
  /// One of these in what is removed moves to the seam. `X-TIMESTAMP-MAP` is refused.
  static let webVTT = Retimer(format: .webVTT) { bytes, map throws(ListError) in
    let text = RawText(bytes)
    guard let header = text.lines.first, header.text.words.first == "WEBVTT" else {
      throw ListError(.line(1), "it does not begin with WEBVTT")
    }
    var paragraphs: [VTTParagraph] = []
    var start = 0
    for index in text.lines.indices {
      let isLast = index + 1 == text.lines.count
      guard isLast || text.lines[index].isBlank && !text.lines[index + 1].isBlank else { continue }
      paragraphs.append(
        try VTTParagraph(text.lines[start...index], isHeader: start == 0))
      start = index + 1
    }
    let cues = paragraphs.count { $0.timing != nil }
    var tally = CueTally(map, unit: Rational(1000), cues: cues)
    var output = RawOutput(text)
    for (count, pass) in (map.passes.isEmpty ? [0..<0] : map.passes).enumerated() {
      var index = -1
      for paragraph in paragraphs {
        guard let timing = paragraph.timing else {
          if count == 0 { output.append(paragraph.lines.flatMap(\.whole)) }
          continue
        }
        index += 1
        guard !pass.isEmpty,
          let times = try tally.times(of: index, timing.range, in: pass, at: timing.place)
        else { continue }
        output.endParagraph()
        for line in paragraph.lines {
          if line.number == timing.line {
            output.append(timing.bytes(times, of: line))
          } else if line.number > timing.line {
            output.append(try line.withMovedTags(by: map, in: pass, within: times))
          } else {
            output.append(line.whole)
          }
        }
      }
    }
    return tally.result(output.bytes)
  }
}

/// The line with the two times of a cue.
private struct TimingLine {
  let line: Int
  let range: MediaTimeRange
  private let mark: String
  /// Whether both times have hours.
  private let hasHours: Bool
  private let fields: [ArraySlice<UInt8>]

  var place: ListError.Place { .line(line) }

  init(_ line: RawText.Line, mark: Character, fields: ClosedRange<Int>) throws(ListError) {
    self.line = line.number
    self.mark = "\(mark)"
    self.fields = line.content.words
    let text = line.text
    let words = text.words
    guard words.count >= 3, self.fields.count >= 3 else {
      throw text.failure("the cue has no end")
    }
    let start = try text.cueTime(words[0], "start", mark: mark, fields: fields)
    let end = try text.cueTime(words[2], "end", mark: mark, fields: fields)
    guard let range = MediaTimeRange(from: start, to: end) else {
      throw text.failure("the end \(end) is before the start \(start)")
    }
    self.range = range
    hasHours = [words[0], words[2]].allSatisfy { $0.utf8.count { $0 == 0x3A } == 2 }
  }

  /// The line with other times, in milliseconds; a time that stays the same keeps its spelling.
  func bytes(_ times: (start: Int64, end: Int64), of line: RawText.Line) -> [UInt8] {
    var bytes = Array(line.content[..<fields[0].startIndex])
    bytes += spelled(times.start, range.start, fields[0])
    bytes += line.content[fields[0].endIndex..<fields[2].startIndex]
    bytes += spelled(times.end, range.end, fields[2])
    return bytes + line.whole[fields[2].endIndex...]
  }

  private func spelled(
    _ time: Int64, _ old: MediaTime, _ field: ArraySlice<UInt8>
  ) -> [UInt8] {
    if old == MediaTime(seconds: Rational(time, 1000)) { return Array(field) }
    return Array(cueClock(time, mark: mark, hasHours: hasHours).utf8)
  }
}

private func cueClock(_ time: Int64, mark: String, hasHours: Bool) -> String {
  let seconds = time / 1000
  let hours = hasHours || seconds >= 3600 ? digits(seconds / 3600, 2) + ":" : ""
  return hours + "\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))\(mark)"
    + digits(time % 1000, 3)
}

/// What stands between blank lines, with those after it.
private struct VTTParagraph {
  let lines: ArraySlice<RawText.Line>
  /// `nil` for what is no cue.
  var timing: TimingLine?

  init(_ lines: ArraySlice<RawText.Line>, isHeader: Bool) throws(ListError) {
    self.lines = lines
    let places = lines.indices.filter { lines[$0].text.isCueTimes }
    if isHeader {
      for line in lines where line.text.text.hasPrefix("X-TIMESTAMP-MAP") {
        throw line.text.failure("X-TIMESTAMP-MAP moves the times by those of a stream")
      }
      if let place = places.first {
        throw lines[place].text.failure("no blank line is before the first cue")
      }
      return
    }
    if places.count > 1 {
      throw lines[places[1]].text.failure(
        "no blank line is between this cue and the one before it")
    }
    guard let place = places.first else { return }
    guard place - lines.startIndex < 2 else {
      throw lines[place].text.failure("it is neither a cue's identifier nor its times")
    }
    timing = try TimingLine(lines[place], mark: ".", fields: 2...3)
  }
}

extension RawText.Line {
  /// The line with the times in it, such as `<00:00:01.500>`, moved, and kept within the cue.
  fileprivate func withMovedTags(
    by map: TimeMap, in pass: Range<Int>, within cue: (start: Int64, end: Int64)
  ) throws(ListError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = whole
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      bytes += rest[rest.startIndex...open]
      rest = rest[(open + 1)...]
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      let field = String(decoding: rest[..<close], as: UTF8.self)
      guard field.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
        let time = try? text.cueTime(field[...], "time", mark: ".", fields: 2...3)
      else { continue }
      do throws(ExactTimeError) {
        let moved = try map.position(of: time, in: pass).seconds.multiplied(by: Rational(1000))
          .rounded(.nearest)
        if MediaTime(seconds: Rational(moved, 1000)) == time { continue }
        let kept = min(max(moved, cue.start), cue.end)
        let hasHours = field.utf8.count { $0 == 0x3A } == 2
        bytes += cueClock(kept, mark: ".", hasHours: hasHours).utf8
        rest = rest[close...]
      } catch {
        throw text.failure("its times are out of range")
      }
    }
    return bytes + rest
  }
}
