import ExactTime

extension Retimer {
  /// A transcript of whisper or WhisperX: segments, their words, and WhisperX's list of all words.
  ///
  /// The unit is a millisecond, or finer where the file's own times have more decimals, up to nine. A word
  /// without times stays where the word before it stays, or else the segment. Words of which nothing is
  /// written are taken out of `words`; a segment's `text` stays as it is. The `text` of the whole becomes that
  /// of the segments that are written, where it was theirs; any other is left out.
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
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    var leftOut: [String] = []
    for list in lists {
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
      edits.append((list.range, rows.bytes))
      guard isSegments, !rows.indices.elementsEqual(list.elements.indices),
        let text = root.member("text"), bytes[text.range].first == UInt8(ascii: "\"")
      else { continue }
      if let words = list.text(of: rows.indices, as: text, in: bytes) {
        edits.append((text.range, words))
      } else if let range = root.rangeOfMember("text") {
        edits.append((range, []))
        leftOut.append(
          ListError(.path("$.text"), "it is not the text of the segments").description)
      }
    }
    var result = tally.result(bytes.replacing(edits, in: bytes.indices))
    result.leftOut = leftOut
    return result
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

extension JSONSpan {
  /// The text of all segments, spelled as in the file, for those that are written; `nil` where it is none.
  ///
  /// Programs differ in the white space at its ends, and between segments.
  fileprivate func text(of indices: [Int], as text: JSONSpan, in bytes: [UInt8]) -> [UInt8]? {
    let whole = text.content(in: bytes)
    let texts = elements.map { $0.member("text")?.content(in: bytes) ?? [] }
    let space = UInt8(ascii: " ")
    for separator in [[], [space]] as [[UInt8]] {
      guard Array(texts.joined(separator: separator)).trimmed == whole.trimmed else { continue }
      let kept = Array(indices.map { texts[$0] }.joined(separator: separator)).trimmed
      let quote = [UInt8(ascii: "\"")]
      guard !kept.isEmpty else { return quote + quote }
      let (lead, tail) = (whole.prefix { $0 == space }, whole.reversed().prefix { $0 == space })
      return quote + lead + kept + tail + quote
    }
    return nil
  }

  /// What is between the quotes of a string.
  private func content(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[range].dropFirst().dropLast()
  }

  /// A member with the comma that separates it from another.
  fileprivate func rangeOfMember(_ key: String) -> Range<Int>? {
    guard let index = members.firstIndex(where: { $0.key.elementsEqual(key.utf8) }) else {
      return nil
    }
    if index > 0 {
      return members[index - 1].value.range.upperBound..<members[index].value.range.upperBound
    }
    // Keys are without their quotes.
    guard members.count > 1 else { return nil }
    return members[0].key.startIndex - 1..<members[1].key.startIndex - 1
  }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
  /// Without the spaces at its ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let rest = drop { $0 == UInt8(ascii: " ") }
    return rest[..<(rest.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? rest.startIndex)]
  }
}

extension [UInt8] {
  /// A part of it with other text in some places, which do not overlap.
  fileprivate func replacing(_ edits: [(range: Range<Int>, text: [UInt8])], in part: Range<Int>)
    -> [UInt8]
  {
    var (text, position) = ([UInt8](), part.lowerBound)
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      text += self[position..<edit.range.lowerBound] + edit.text
      position = edit.range.upperBound
    }
    return text + self[position..<part.upperBound]
  }
}

/// Chosen elements of an array, with the white space that the array has between its own.
private struct ListPieces {
  private let list: JSONSpan
  private let source: [UInt8]
  private var content: [UInt8] = []
  /// Which elements they are.
  private(set) var indices: [Int] = []

  init(_ list: JSONSpan, of bytes: [UInt8]) {
    self.list = list
    source = bytes
  }

  mutating func append(_ piece: [UInt8], of index: Int) {
    if indices.isEmpty, let first = list.elements.first {
      content += source[list.range.lowerBound..<first.range.lowerBound]
    } else if list.elements.count > 1 {
      let next = max(1, index)
      content +=
        source[list.elements[next - 1].range.upperBound..<list.elements[next].range.lowerBound]
    } else {
      content += [UInt8(ascii: ",")]
    }
    indices.append(index)
    content += piece
  }

  var bytes: [UInt8] {
    guard !indices.isEmpty, let last = list.elements.last else { return Array("[]".utf8) }
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
        (range: start.range, text: spelled(moved.start, times.0, start)),
        (range: end.range, text: spelled(moved.end, times.1, end)),
      ]
      if let words = row.member("words"), !words.elements.isEmpty {
        var kept = ListPieces(words, of: bytes)
        let writer = TranscriptWriter(
          bytes: bytes, places: places, unit: unit, path: "\(path)[\(index)].words")
        var uncounted = tally.uncounted
        try writer.write(words, in: pass, to: &kept, &uncounted, counts: false)
        edits.append((words.range, kept.bytes))
      }
      rows.append(bytes.replacing(edits, in: row.range), of: index)
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
