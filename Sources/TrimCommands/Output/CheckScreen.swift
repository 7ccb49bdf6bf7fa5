import CommandLineKit
import ExactTime
import MediaFacts
import Trimming

/// What `trim check` shows for one file: one line, plus one for each damage.
struct CheckScreen {
  var facts: MediaFacts
  var name: [UInt8]
  var limit: LengthLimit
  /// What was looked for, and found.
  var content: CheckedContent?
  var traits: StreamTraits
  var isPlain: Bool

  private static let mostDamages = 5

  var text: String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let file = sheet.foreign(name)
    if let presented = facts.durations.presented?.length {
      let seconds = DecimalText.fixed(presented.seconds, places: 3)
      sheet.row(
        "\(file): \(limit.sentence(on: presented)); presented \(seconds) s",
        limit.isValid(presented) ? .good : .bad)
    } else {
      sheet.row("\(file): UNKNOWN: the presented duration cannot be determined", .bad)
    }
    for damage in facts.damage.prefix(Self.mostDamages) {
      sheet.row("\(file): DAMAGED: \(sheet.foreign(damage.text, cells: 400))", .bad)
    }
    for sentence in content?.sentences ?? [] {
      sheet.row("\(file): \(sheet.foreign(sentence))", .bad)
    }
    return sheet.text
  }
}
