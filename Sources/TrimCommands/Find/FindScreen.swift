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
    if let level = found.level {
      sheet.line("its loudness makes this \(level.shown) dBFS", .dim, indent: 2)
    }
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
      Sheet.Cell(finding.kind.rawValue + (finding.channel.map { ", channel \($0)" } ?? "")),
      Sheet.Cell(DecimalText.clock(finding.range.start.seconds), right: true),
      Sheet.Cell(DecimalText.clock(finding.range.end.seconds), right: true),
      Sheet.Cell(
        (try? finding.range.checkedLength()).map { DecimalText.fixed($0.seconds, places: 3) } ?? "",
        right: true),
      Sheet.Cell(finding.hundredths.map(FindingsRecord.text) ?? "", right: true),
    ]
  }
}
