/// The lines of a text as bytes, so that what is not changed stays as it is; in any encoding whose ASCII
/// characters are ASCII.
struct RawText {
  struct Line {
    /// Counted from 1.
    let number: Int
    /// Without its end.
    let content: ArraySlice<UInt8>
    /// With its end.
    let whole: ArraySlice<UInt8>

    var isBlank: Bool { content.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// For reading what is ASCII.
    var text: ListText.Line {
      ListText.Line(number: number, text: String(decoding: content, as: UTF8.self)[...])
    }
  }

  /// The byte order mark, if there is one.
  let mark: ArraySlice<UInt8>
  let lines: [Line]

  init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    mark = bytes[..<start]
    var lines: [Line] = []
    var rest = bytes[start...]
    while !rest.isEmpty {
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
      let isPair = end + 1 < rest.endIndex && rest[end] == 0x0D && rest[end + 1] == 0x0A
      let next = min(end + (isPair ? 2 : 1), rest.endIndex)
      lines.append(
        Line(
          number: lines.count + 1, content: rest[rest.startIndex..<end],
          whole: rest[rest.startIndex..<next]))
      rest = rest[next...]
    }
    self.lines = lines
  }

  /// How its first line ends.
  var newline: [UInt8] {
    guard let line = lines.first, line.whole.endIndex > line.content.endIndex else { return [0x0A] }
    return Array(line.whole[line.content.endIndex...])
  }
}

/// A text that is put together from pieces of another.
struct RawOutput {
  private(set) var bytes: [UInt8]
  private let newline: [UInt8]

  init(_ text: RawText) {
    bytes = Array(text.mark)
    newline = text.newline
  }

  mutating func append(_ piece: some Sequence<UInt8>) { bytes += piece }

  /// Ends the line that was written last, if it does not end.
  mutating func endLine() {
    guard let last = bytes.last, last != 0x0A, last != 0x0D else { return }
    bytes += newline
  }

  /// Ends the paragraph that was written last with a blank line, if none is there.
  mutating func endParagraph() {
    guard !bytes.isEmpty, bytes != [0xEF, 0xBB, 0xBF] else { return }
    endLine()
    var rest = bytes[...]
    if rest.last == 0x0A { rest.removeLast() }
    if rest.last == 0x0D { rest.removeLast() }
    while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
    if rest.last != 0x0A, rest.last != 0x0D { bytes += newline }
  }
}

extension ArraySlice<UInt8> {
  /// The words between spaces and tabs.
  var words: [ArraySlice<UInt8>] { split { $0 == 0x20 || $0 == 0x09 } }
}

/// The digits of a number, at least as many as asked for.
func digits(_ value: Int64, _ count: Int) -> String {
  let text = "\(value)"
  return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
}
