import CommandLineKit
import Detection
import ExactTime

/// What `trim find` shows for a file.
struct FindScreen {
  /// As in its JSON.
  var columns: JSONValue
  var name: [UInt8]
  var options: FindOptions
  var traits: StreamTraits
  var isPlain: Bool

  var text: String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let found = Self.elements(columns["findings"])
    let count = found.count
    sheet.row("\(sheet.foreign(name)): \(count == 0 ? "nothing" : "\(count)") found")
    sheet.line(thresholds, .dim, indent: 2)
    if count > 0 {
      sheet.blank()
      sheet.table(
        [["what", "from", "to", "length (s)", "score"].map { Sheet.Cell($0, .strong) }]
          + found.map(Self.row))
    }
    let unseen = Self.elements(columns["not_examined"])
    if !unseen.isEmpty {
      sheet.blank()
      for range in unseen {
        sheet.row(
          "not examined, since it cannot be decoded: \(Self.time(range["from"])) to \(Self.time(range["to"]))",
          .bad)
      }
    }
    return sheet.text
  }

  private static func row(_ finding: JSONValue) -> [Sheet.Cell] {
    [
      Sheet.Cell(finding["kind"]?.text ?? ""), Sheet.Cell(time(finding["from"]), right: true),
      Sheet.Cell(time(finding["to"]), right: true),
      Sheet.Cell(seconds(finding["length"]), right: true),
      Sheet.Cell(number(finding["score"]), right: true),
    ]
  }

  private static func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func number(_ value: JSONValue?) -> String {
    if case .number(let text)? = value { text } else { "" }
  }

  private static func exact(_ value: JSONValue?) -> Rational? {
    value?["value"]?.text.flatMap { Rational(exactly: $0) }
  }

  private static func time(_ value: JSONValue?) -> String {
    exact(value).map { DecimalText.clock($0) } ?? ""
  }

  private static func seconds(_ value: JSONValue?) -> String {
    exact(value).map { DecimalText.fixed($0, places: 3) } ?? ""
  }

  private var thresholds: String {
    var words: [String] = []
    func shortest(_ kind: Finding.Kind) -> String {
      let length = options.shortest[kind] ?? .zero
      return length == .zero ? "" : ", at least \(DecimalText.shortest(length.seconds)) s"
    }
    if options.kinds.contains(.silence) {
      words.append("silence below \(options.silenceLevel.shown) dBFS\(shortest(.silence))")
    }
    if options.kinds.contains(.black) { words.append("black\(shortest(.black))") }
    if options.kinds.contains(.still) { words.append("still\(shortest(.still))") }
    if options.kinds.contains(.scene) { words.append("scenes") }
    return words.joined(separator: "; ")
  }
}
