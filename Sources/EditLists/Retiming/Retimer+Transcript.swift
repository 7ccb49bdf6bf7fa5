import ExactTime

extension Retimer {
  /// A transcript of whisper or WhisperX: segments, their words, and WhisperX's list of all words.
  ///
  /// The unit is a millisecond, or finer where the file's own times have more decimals, up to nine. A word
  /// without times stays where the word before it stays, or else the segment. Words of which nothing is
  /// written are taken out of `words`; a segment's `text` stays as it is.
  static let transcript = Retimer(format: .transcript) { bytes, map throws(ListError) in
    // Refuses what is no transcript, with its path.
    _ = try EditListFormat.transcript.reading(bytes)
    let root = JSONSpan(of: bytes)
    let segments = root.member("segments")
    let words = root.member("word_segments")
    let lists = [segments, words].compactMap { $0 }
    let places = min(9, lists.flatMap(\.elements).reduce(3) { max($0, $1.places(in: bytes)) })
    let unit = Rational((0..<places).reduce(into: Int64(1)) { power, _ in power *= 10 })
    var tally = CueTally(map, unit: unit, cues: segments?.elements.count ?? 0)
    // Words belong to their segment's cue, and are not counted.
    var uncounted = tally.uncounted
    var output: [UInt8] = []
    var position = bytes.startIndex
    for list in lists.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      output += bytes[position..<list.range.lowerBound]
      let isSegments = list.range == segments?.range
      let writer = TranscriptWriter(
        bytes: bytes, places: places, unit: unit, path: isSegments ? "segments" : "word_segments")
      var rows = ListPieces(list, of: bytes)
      for pass in map.passes {
        if isSegments {
          try writer.write(list, in: pass, to: &rows, &tally, counts: true)
        } else {
          try writer.write(list, in: pass, to: &rows, &uncounted, counts: false)
        }
      }
      output += rows.bytes
      position = list.range.upperBound
    }
    return tally.result(output + bytes[position...])
  }
}

extension JSONSpan {
  /// The most decimals of its times and those of its words.
  fileprivate func places(in bytes: [UInt8]) -> Int {
    let own = ["start", "end"].compactMap { member($0) }.map { number in
      let digits = bytes[number.range]
      guard !digits.contains(0x65), !digits.contains(0x45),
        let point = digits.firstIndex(of: UInt8(ascii: "."))
      else { return 0 }
      return digits.endIndex - point - 1
    }
    return (member("words")?.elements ?? []).reduce(own.max() ?? 0) {
      max($0, $1.places(in: bytes))
    }
  }
}

/// Chosen elements of an array, with the white space that the array has between its own.
private struct ListPieces {
  private let list: JSONSpan
  private let source: [UInt8]
  private var content: [UInt8] = []
  private var isEmpty = true

  init(_ list: JSONSpan, of bytes: [UInt8]) {
    self.list = list
    source = bytes
  }

  mutating func append(_ piece: [UInt8], of index: Int) {
    if isEmpty, let first = list.elements.first {
      content += source[list.range.lowerBound..<first.range.lowerBound]
    } else if list.elements.count > 1 {
      let next = max(1, index)
      content +=
        source[list.elements[next - 1].range.upperBound..<list.elements[next].range.lowerBound]
    } else {
      content += [UInt8(ascii: ",")]
    }
    isEmpty = false
    content += piece
  }

  var bytes: [UInt8] {
    guard !isEmpty, let last = list.elements.last else { return Array("[]".utf8) }
    return content + source[last.range.upperBound..<list.range.upperBound]
  }
}

/// Writes segments and words with other times.
private struct TranscriptWriter {
  let bytes: [UInt8]
  let places: Int
  let unit: Rational
  let path: String

  func write(
    _ list: JSONSpan, in pass: Range<Int>, to rows: inout ListPieces, _ tally: inout CueTally,
    counts: Bool
  ) throws(ListError) {
    var isPreviousWritten = true
    for (index, row) in list.elements.enumerated() {
      let place = ListError.Place.path("$.\(path)[\(index)]")
      guard let start = row.member("start"), let end = row.member("end") else {
        if isPreviousWritten { rows.append(Array(bytes[row.range]), of: index) }
        continue
      }
      let times = (try time(start, place), try time(end, place))
      guard let range = MediaTimeRange(from: times.0, to: times.1) else {
        throw ListError(place, "the end \(times.1) is before the start \(times.0)")
      }
      let moved = try tally.times(of: counts ? index : 0, range, in: pass, at: place)
      isPreviousWritten = moved != nil
      guard let moved else { continue }
      var edits = [
        (start.range, spelled(moved.start, times.0, start)),
        (end.range, spelled(moved.end, times.1, end)),
      ]
      if let words = row.member("words"), !words.elements.isEmpty {
        var kept = ListPieces(words, of: bytes)
        let writer = TranscriptWriter(
          bytes: bytes, places: places, unit: unit, path: "\(path)[\(index)].words")
        var uncounted = tally.uncounted
        try writer.write(words, in: pass, to: &kept, &uncounted, counts: false)
        edits.append((words.range, kept.bytes))
      }
      var piece: [UInt8] = []
      var position = row.range.lowerBound
      for (range, text) in edits.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
        piece += bytes[position..<range.lowerBound] + text
        position = range.upperBound
      }
      rows.append(piece + bytes[position..<row.range.upperBound], of: index)
    }
  }

  private func time(
    _ number: JSONSpan, _ place: ListError.Place
  ) throws(ListError) -> MediaTime {
    let text = String(decoding: bytes[number.range], as: UTF8.self)
    guard let value = Rational(scientific: text[...]), !value.isNegative else {
      throw ListError(place, "'\(ListText.Line.shown(text[...]))' is not a time in seconds")
    }
    return MediaTime(seconds: value)
  }

  private func spelled(_ units: Int64, _ old: MediaTime, _ number: JSONSpan) -> [UInt8] {
    guard let seconds = try? Rational(units).divided(by: unit), old.seconds != seconds else {
      return Array(bytes[number.range])
    }
    var text = seconds.decimalText(places: places, rounding: .nearest).text
    while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
    return Array(text.utf8)
  }
}
