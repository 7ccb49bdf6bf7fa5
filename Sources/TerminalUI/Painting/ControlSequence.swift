/// The control sequences this module writes (ECMA-48; private modes from xterm's ctlseqs).
enum ControlSequence {
  static let escape: UInt8 = 0x1B

  static let hideCursor = sequence("?25l")
  static let showCursor = sequence("?25h")
  static let alternateScreen = sequence("?1049h")
  static let mainScreen = sequence("?1049l")
  static let mouseOn = sequence("?1002h") + sequence("?1006h")
  static let mouseOff = sequence("?1006l") + sequence("?1002l")
  static let bracketedPasteOn = sequence("?2004h")
  static let bracketedPasteOff = sequence("?2004l")
  static let endOfPaste = sequence("201~")
  static let beginSynchronizedUpdate = sequence("?2026h")
  static let endSynchronizedUpdate = sequence("?2026l")
  static let plainStyle = sequence("m")
  static let clearScreen = sequence("H") + sequence("2J")
  static let clearToEndOfLine = sequence("K")
  /// Queries the background color (OSC 11); terminals without support do not answer.
  static let backgroundQuestion: [UInt8] = [escape] + Array("]11;?".utf8) + [escape, 0x5C]
  /// Queries the last of 256 colors (OSC 4), which a terminal with fewer does not have, and which terminal
  /// it is (DA2), since tmux does not answer for colors that nobody has changed.
  static let colorQuestion: [UInt8] =
    [escape] + Array("]4;255;?".utf8) + [escape, 0x5C] + sequence(">c")
  /// Queries the number of colors as the terminal's own description has it (XTGETTCAP `Co`).
  static let colorCountQuestion: [UInt8] =
    [escape] + Array("P+q436F".utf8) + [escape, 0x5C]

  static func moveTo(column: Int, row: Int) -> [UInt8] {
    if column == 0 { return row == 0 ? sequence("H") : sequence("\(row + 1)H") }
    return sequence("\(row + 1);\(column + 1)H")
  }

  static func forward(_ columns: Int) -> [UInt8] {
    sequence(columns == 1 ? "C" : "\(columns)C")
  }

  /// Begins a style (SGR), whose parameters follow, then ``endStyle(_:)``.
  static func begin(_ bytes: inout [UInt8]) {
    bytes.append(escape)
    bytes.append(0x5B)
  }

  /// Appends a parameter of at most three digits and a semicolon: a picture has thousands of them.
  static func append(_ parameter: Int, to bytes: inout [UInt8]) {
    let zero = UInt8(ascii: "0")
    if parameter >= 100 { bytes.append(zero + UInt8(truncatingIfNeeded: parameter / 100)) }
    if parameter >= 10 { bytes.append(zero + UInt8(truncatingIfNeeded: parameter / 10 % 10)) }
    bytes.append(zero + UInt8(truncatingIfNeeded: parameter % 10))
    bytes.append(UInt8(ascii: ";"))
  }

  /// Replaces the last parameter's semicolon with the final byte.
  static func endStyle(_ bytes: inout [UInt8]) { bytes[bytes.count - 1] = UInt8(ascii: "m") }

  private static func sequence(_ body: String) -> [UInt8] { [escape, 0x5B] + Array(body.utf8) }
}
