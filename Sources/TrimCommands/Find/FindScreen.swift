import CommandLineKit
import Detection
import ExactTime

/// What `trim find` shows for a file.
struct FindScreen {
  var found: Findings
  var name: [UInt8]
  var traits: StreamTraits
  var isPlain: Bool

  var text: String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let count = found.findings.count
    sheet.row("\(sheet.foreign(name)): \(count == 0 ? "nothing" : "\(count)") found")
    sheet.line(found.options.sentence, .dim, indent: 2)
    if count > 0 {
      sheet.blank()
      sheet.table(
        [["what", "from", "to", "length (s)", "score"].map { Sheet.Cell($0, .strong) }]
          + found.findings.map(Self.row))
    }
    let gaps = found.gaps
    if !gaps.isEmpty {
      sheet.blank()
      for sentence in gaps { sheet.row(sheet.foreign(sentence), .bad) }
    }
    return sheet.text
  }

  private static func row(_ finding: Finding) -> [Sheet.Cell] {
    [
      Sheet.Cell(finding.kind.rawValue),
      Sheet.Cell(DecimalText.clock(finding.range.start.seconds), right: true),
      Sheet.Cell(DecimalText.clock(finding.range.end.seconds), right: true),
      Sheet.Cell(
        (try? finding.range.checkedLength()).map { DecimalText.fixed($0.seconds, places: 3) } ?? "",
        right: true),
      Sheet.Cell(finding.hundredths.map(FindingsRecord.text) ?? "", right: true),
    ]
  }
}

extension Findings {
  /// What could not be looked at, in sentences.
  var gaps: [String] {
    missing.map { one in
      "not looked for: \(one.kinds.map(\.option).joined(separator: ", ")), since \(one.message)"
    }
      + unseen.map { one in
        "not examined, since it cannot be decoded: "
          + "\(DecimalText.clock(one.range.start.seconds)) to \(DecimalText.clock(one.range.end.seconds))"
      }
  }
}

extension FindOptions {
  /// What is looked for, with its thresholds.
  var sentence: String {
    var words: [String] = []
    func least(_ kind: Finding.Kind) -> String {
      let length = shortest[kind] ?? .zero
      return length == .zero ? "" : ", at least \(DecimalText.shortest(length.seconds)) s"
    }
    if kinds.contains(.silence) {
      words.append("silence below \(silenceLevel.shown) dBFS\(least(.silence))")
    }
    if kinds.contains(.black) { words.append("black\(least(.black))") }
    if kinds.contains(.still) { words.append("still\(least(.still))") }
    if kinds.contains(.scene) { words.append(isFast ? "scenes where keyframes differ" : "scenes") }
    return words.joined(separator: "; ")
  }
}
