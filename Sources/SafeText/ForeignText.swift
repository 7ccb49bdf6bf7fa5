/// Makes untrusted text (file names, tags, codec names, libav messages) safe to show.
///
/// This is the only way for such text to reach a terminal, a log or a screen: the result contains
/// no control, invisible or direction-changing characters, and takes as many cells as it appears
/// to.
package enum ForeignText {
  /// Returns displayable text: invalid UTF-8 as `\xNN`, a newline as `\n`, and anything that could
  /// control a terminal or deceive a reader as `\u{…}`.
  ///
  /// - Parameter asciiOnly: also shows everything beyond ASCII as `\u{…}`, for terminals without
  ///   UTF-8.
  package static func shown(_ bytes: some Collection<UInt8>, asciiOnly: Bool = false) -> String {
    var result = ""
    var marks = 0
    for unit in UTF8Units(Array(bytes)) {
      switch unit {
      case .invalid(let byte):
        result += "\\x" + hexadecimal(UInt32(byte), digits: 2)
        marks = 0
      case .scalar("\n"):
        result += "\\n"
        marks = 0
      case .scalar(let scalar):
        marks = isMark(scalar) ? marks + 1 : 0
        if deceives(scalar) || (asciiOnly && !scalar.isASCII) || marks > longestRunOfMarks {
          result += "\\u{" + hexadecimal(scalar.value, digits: 0) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  package static func shown(_ text: String, asciiOnly: Bool = false) -> String {
    shown(text.utf8, asciiOnly: asciiOnly)
  }

  /// Whether a name reads as it is stored: without controls, and without the characters that change
  /// the order in which others are shown (Unicode Standard Annex #9, 2), behind which an ending can
  /// hide.
  package static func isHonest(_ name: String) -> Bool {
    !name.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isBidiControl
      }
    }
  }

  /// Whether a character controls a terminal, is invisible, or changes how text appears: C0, DEL,
  /// C1, bidirectional controls, line separators, zero-width and tag characters, and code points
  /// without a universally agreed meaning.
  package static func deceives(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    // The two selectors that choose between the text and emoji form of the preceding character.
    if scalar == "\u{FE0E}" || scalar == "\u{FE0F}" { return false }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return true
    default:
      return properties.isDefaultIgnorableCodePoint
    }
  }

  /// More marks than any script puts on one letter would overlap the surrounding lines.
  private static let longestRunOfMarks = 4

  /// Whether a character takes no room of its own: a combining mark, or a medial or final Hangul letter,
  /// which joins the syllable before it (Unicode 15, section 18.6).
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default:
      return (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    }
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
