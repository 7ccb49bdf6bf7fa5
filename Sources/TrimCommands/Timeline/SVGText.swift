import CommandLineKit

/// A drawing of simple shapes, written as SVG.
struct SVGText {
  private(set) var text = ""

  /// Escapes text for SVG, after making untrusted text safe to display.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in ForeignText.shown(text).unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A length on the page, rounded to hundredths.
  static func number(_ value: Double) -> String {
    // Nothing drawn exceeds a page of a few thousand units.
    let hundredths = Int((min(max(value, -1e6), 1e6) * 100).rounded())
    let whole = "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100)"
    let rest = abs(hundredths) % 100
    guard rest > 0 else { return whole }
    return whole + (rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)")
  }

  mutating func line(_ markup: String) { text += markup + "\n" }

  mutating func rectangle(
    _ style: String, x: Double, y: Double, width: Double, height: Double, title: String? = nil
  ) {
    let place =
      "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" "
      + "height=\"\(Self.number(height))\""
    if let title {
      line("<rect class=\"\(style)\" \(place)><title>\(Self.escaped(title))</title></rect>")
    } else {
      line("<rect class=\"\(style)\" \(place)/>")
    }
  }

  mutating func path(_ style: String, _ steps: String) {
    if !steps.isEmpty { line("<path class=\"\(style)\" d=\"\(steps)\"/>") }
  }

  mutating func label(
    _ words: String, x: Double, y: Double, style: String = "label", anchor: String = "start"
  ) {
    line(
      "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
        + "text-anchor=\"\(anchor)\">\(Self.escaped(words))</text>")
  }
}
