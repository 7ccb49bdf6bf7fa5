import ExactTime

/// The lines of a list: UTF-8, with or without a byte order mark, ended by LF, CRLF or CR.
struct ListText {
  struct Line {
    /// Counted from 1.
    let number: Int
    let text: Substring
  }

  /// The lines that are not blank.
  let lines: [Line]

  /// - Throws: ``ListError`` for text that is not UTF-8, with the line, and for a list without lines.
  init(_ bytes: [UInt8]) throws(ListError) {
    try Self.refuseUTF16(bytes[...])
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    var rest = bytes[(hasMark ? 3 : 0)...]
    var lines: [Line] = []
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
      let line = rest[rest.startIndex..<end]
      guard let text = String(validating: line, as: UTF8.self) else {
        throw ListError(.line(number), "it is not UTF-8")
      }
      guard !line.contains(0) else { throw ListError(.line(number), "it contains a NUL byte") }
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        lines.append(Line(number: number, text: text[...]))
      }
      let isPair = end + 1 < rest.endIndex && rest[end] == 0x0D && rest[end + 1] == 0x0A
      rest = rest[min(end + (isPair ? 2 : 1), rest.endIndex)...]
    }
    guard !lines.isEmpty else { throw ListError(.list, "it is empty") }
    self.lines = lines
  }

  /// - Throws: ``ListError`` for text that is not UTF-8, with the line.
  static func validate(_ bytes: ArraySlice<UInt8>) throws(ListError) {
    try refuseUTF16(bytes)
    if !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil { return }
    _ = try ListText(Array(bytes))
  }

  private static func refuseUTF16(_ bytes: ArraySlice<UInt8>) throws(ListError) {
    guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return }
    throw ListError(.list, "it is UTF-16; save it as UTF-8")
  }
}

extension ListText.Line {
  /// The fields between spaces and tabs.
  var words: [Substring] { Self.split(text, omittingEmpty: true) { $0 == 0x20 || $0 == 0x09 } }

  /// The fields between tabs, some perhaps empty.
  var columns: [Substring] { Self.split(text, omittingEmpty: false) { $0 == 0x09 } }

  private static func split(
    _ text: Substring, omittingEmpty: Bool, at isSeparator: (UInt8) -> Bool
  ) -> [Substring] {
    text.utf8.split(omittingEmptySubsequences: omittingEmpty, whereSeparator: isSeparator)
      .map { Substring($0) }
  }

  func failure(_ reason: String) -> ListError { ListError(.line(number), reason) }

  /// The range between two instants of this line.
  func range(from start: MediaTime, to end: MediaTime) throws(ListError) -> MediaTimeRange {
    guard let range = MediaTimeRange(from: start, to: end) else {
      throw failure("the end \(end) is before the start \(start)")
    }
    guard !range.isEmpty else { throw failure("the range at \(start) is empty") }
    return range
  }

  /// An instant in seconds, such as `60.48`: digits, with or without a fraction.
  func seconds(_ field: Substring, _ what: String) throws(ListError) -> MediaTime {
    if field.utf8.first == UInt8(ascii: "-") {
      throw failure("the \(what) '\(Self.shown(field))' is negative")
    }
    guard let value = Rational(decimal: field) else {
      throw failure("the \(what) '\(Self.shown(field))' is not a number of seconds")
    }
    return MediaTime(seconds: value)
  }

  /// A field as a message shows it: short, and without control characters.
  static func shown(_ field: Substring) -> String {
    String(
      String.UnicodeScalarView(
        field.unicodeScalars.prefix(40).map {
          $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            ? "?" : $0
        }))
  }
}
