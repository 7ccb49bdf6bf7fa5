package import TerminalUI

/// As much of a terminal as the painter relies on: cells, a cursor, and the sequences it writes.
///
/// Anything else in its input becomes a complaint.
package struct TerminalEmulator {
  package private(set) var canvas: Canvas
  package private(set) var isCursorShown = true
  package private(set) var isUpdating = false
  package private(set) var complaints: [String] = []
  package private(set) var style = Style.plain
  private var column = 0
  private var row = 0
  private var wrapIsPending = false

  package init(size: Size) {
    canvas = Canvas(size: size)
    // The leftovers of an unknown program.
    canvas.fill(columns: 0..<size.columns, rows: 0..<size.rows, with: Glyph("%"))
  }

  package var cursor: Position? { isCursorShown ? Position(column: column, row: row) : nil }

  package mutating func take(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let character = rest.popFirst() {
      if character == "\u{1B}" {
        let introducer = rest.popFirst()
        if introducer == "_" || introducer == "]" {
          // A control string, up to ST: images and queries show no text.
          while let next = rest.popFirst(), next != "\u{1B}" {}
          rest = rest.dropFirst()
          continue
        }
        guard introducer == "[" else {
          complaints.append("an escape that begins nothing")
          continue
        }
        let body = rest.prefix { !$0.isASCIIFinal }
        rest = rest.dropFirst(body.count)
        perform(String(body), final: rest.popFirst() ?? " ")
      } else {
        write(character)
      }
    }
  }

  private mutating func write(_ character: Character) {
    let glyph = Glyph(character)
    if glyph.character != character { complaints.append("an unsafe character") }
    if wrapIsPending { complaints.append("a character after the border") }
    canvas.put(glyph, column: column, row: row, style: style)
    column += glyph.columns
    if column >= canvas.size.columns {
      column = canvas.size.columns - 1
      wrapIsPending = true
    }
  }

  private mutating func perform(_ body: String, final: Character) {
    let numbers = body.split(separator: ";").compactMap { Int($0) }
    switch (body, final) {
    case ("?25", "h"): isCursorShown = true
    case ("?25", "l"): isCursorShown = false
    case ("?2026", "h"): isUpdating = true
    case ("?2026", "l"): isUpdating = false
    case (_, "H"): move(to: numbers.count > 1 ? numbers[1] - 1 : 0, (numbers.first ?? 1) - 1)
    case (_, "C"): move(to: column + (numbers.first ?? 1), row)
    case ("2", "J"):
      canvas.fill(columns: 0..<canvas.size.columns, rows: 0..<canvas.size.rows)
    case ("", "K"):
      if wrapIsPending { complaints.append("erasing at the border") }
      canvas.fill(columns: column..<canvas.size.columns, rows: row..<row + 1, style: style)
    case (_, "m"): select(numbers.isEmpty ? [0] : numbers)
    default: complaints.append("CSI \(body)\(final)")
    }
  }

  private mutating func move(to column: Int, _ row: Int) {
    if column >= canvas.size.columns || row >= canvas.size.rows {
      complaints.append("a move to \(column), \(row)")
    }
    self.column = column
    self.row = row
    wrapIsPending = false
  }

  private mutating func select(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: style = .plain
      case 1: style.emphasis.insert(.bold)
      case 2: style.emphasis.insert(.dim)
      case 4: style.emphasis.insert(.underline)
      case 7: style.emphasis.insert(.reverse)
      case 38: style.foreground = color(&rest)
      case 48: style.background = color(&rest)
      case 39: style.foreground = .standard
      case 49: style.background = .standard
      case 30..<38, 90..<98: style.foreground = theme(number % 10, isBright: number >= 90)
      case 40..<48, 100..<108: style.background = theme(number % 10, isBright: number >= 100)
      default: complaints.append("SGR \(number)")
      }
    }
  }

  private func theme(_ number: Int, isBright: Bool) -> Color {
    .theme(ThemeColor(rawValue: UInt8(number + (isBright ? 8 : 0))) ?? .black)
  }

  private mutating func color(_ rest: inout ArraySlice<Int>) -> Color {
    if rest.popFirst() == 5 { return .indexed(UInt8(rest.popFirst() ?? 0)) }
    func component() -> UInt8 { UInt8(rest.popFirst() ?? 0) }
    return .rgb(component(), component(), component())
  }
}

extension Character {
  fileprivate var isASCIIFinal: Bool { asciiValue.map { 0x40..<0x7F ~= $0 } ?? false }
}
