/// The control sequences this module writes (ECMA-48; private modes after xterm's ctlseqs).
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

  static func moveTo(column: Int, row: Int) -> [UInt8] {
    if column == 0 { return row == 0 ? sequence("H") : sequence("\(row + 1)H") }
    return sequence("\(row + 1);\(column + 1)H")
  }

  static func forward(_ columns: Int) -> [UInt8] {
    sequence(columns == 1 ? "C" : "\(columns)C")
  }

  static func style(_ parameters: [String]) -> [UInt8] {
    sequence(parameters.joined(separator: ";") + "m")
  }

  private static func sequence(_ body: String) -> [UInt8] { [escape, 0x5B] + Array(body.utf8) }
}
