import CommandLineKit
import ExactTime
import MediaFacts
import Trimming

/// What `trim probe` shows for one file: the answer first, then its basis.
struct ProbeScreen {
  let facts: MediaFacts
  let limit: LengthLimit
  let listsKeyframes: Bool
  let listsFrames: Bool
  /// The range named for the file.
  var part: NamedPart?
  private let name: [UInt8]
  private var sheet: Sheet

  static let mostTags = 20
  static let mostNotes = 50
  static let mostTracks = 100
  static let longestTag = 200

  init(
    facts: MediaFacts, name: [UInt8], limit: LengthLimit, traits: StreamTraits, isPlain: Bool,
    listsKeyframes: Bool, listsFrames: Bool = false
  ) {
    self.facts = facts
    self.name = name
    self.limit = limit
    self.listsKeyframes = listsKeyframes
    self.listsFrames = listsFrames
    sheet = Sheet(traits: traits, isPlain: isPlain)
  }

  var text: String {
    var sheet = sheet
    addHeadline(to: &sheet)
    addAnswer(to: &sheet)
    addDamage(to: &sheet)
    addDurations(to: &sheet)
    addNotes(to: &sheet)
    addTracks(to: &sheet)
    addKeyframes(to: &sheet)
    addFrames(to: &sheet)
    addChapters(to: &sheet)
    addTags(to: &sheet)
    return sheet.text
  }

  private func addHeadline(to sheet: inout Sheet) {
    let container = facts.container
    var parts = [sheet.foreign(container.longName)]
    if let brand = container.brands.first { parts[0] += " (\(sheet.foreign(brand, cells: 20)))" }
    if container.isFragmented { parts.append("fragmented") }
    if let bytes = facts.byteCount { parts.append(ByteCount.text(bytes)) }
    parts.append(CountText.of(facts.tracks.count, "track"))
    if !container.isSeekable { parts.append("not seekable") }
    sheet.line("\(sheet.foreign(name)): \(parts.joined(separator: ", "))", .strong)
  }

  private func addAnswer(to sheet: inout Sheet) {
    sheet.blank()
    guard let presented = facts.durations.presented else {
      sheet.line("Presented duration unknown", .bad, indent: 2)
      if facts.depth == .header {
        sheet.line("To scan for it: --depth packets", indent: 2)
      }
      return
    }
    let seconds = presented.length.seconds
    sheet.line(
      "\(DecimalText.clock(seconds))  presented (exactly \(seconds) s)", .strong, indent: 2)
    sheet.line(
      limit.sentence(on: presented.length), limit.isValid(presented.length) ? .good : .bad,
      indent: 2)
    if let start = presented.start, start != .zero {
      sheet.line(
        "starts at \(DecimalText.clock(start.seconds)) on the file's own timeline", indent: 2)
    }
    if let part, let end = part.end {
      sheet.line(
        "named part: \(DecimalText.clock(part.start.seconds)) to "
          + "\(DecimalText.clock(end.seconds)), \(DecimalText.fixed(part.length.seconds, places: 3)) s: "
          + limit.sentence(on: part.length), limit.isValid(part.length) ? .good : .bad, indent: 2)
    }
  }

  private func addDamage(to sheet: inout Sheet) {
    guard !facts.damage.isEmpty else { return }
    sheet.heading("Damage")
    for damage in facts.damage.prefix(Self.mostNotes) {
      let track = damage.trackID.map { "track \($0): " } ?? ""
      let place = damage.byteOffset.map { " (byte \($0))" } ?? ""
      sheet.line(track + sheet.foreign(damage.text, cells: 400) + place, .bad, indent: 2)
    }
    addRest(facts.damage.count - Self.mostNotes, to: &sheet)
  }

  private func addNotes(to sheet: inout Sheet) {
    guard !facts.notes.isEmpty else { return }
    sheet.heading("Notes")
    for note in facts.notes.prefix(Self.mostNotes) {
      let track = note.trackID.map { "track \($0): " } ?? ""
      let text = sheet.foreign(note.text, cells: 400)
      sheet.line("\(track)\(text) [\(sheet.foreign(note.id.rawValue))]", indent: 2)
    }
    addRest(facts.notes.count - Self.mostNotes, to: &sheet)
  }

  private func addChapters(to sheet: inout Sheet) {
    guard !facts.chapters.isEmpty else { return }
    sheet.heading("Chapters")
    sheet.table(
      facts.chapters.prefix(Self.mostTracks).map { chapter in
        let title = chapter.title.map { sheet.foreign($0, cells: Self.longestTag) } ?? ""
        let start = DecimalText.clock(chapter.start.seconds)
        return [
          .init("#\(chapter.number)", right: true), .init(start, right: true), .init(title),
        ]
      })
    addRest(facts.chapters.count - Self.mostTracks, to: &sheet)
  }

  private func addTags(to sheet: inout Sheet) {
    guard !facts.tags.isEmpty else { return }
    sheet.heading("Tags")
    sheet.table(
      facts.tags.prefix(Self.mostTags).map { tag in
        [
          .init(sheet.foreign(tag.key, cells: 24), .dim),
          .init(sheet.foreign(tag.value, cells: Self.longestTag)),
        ]
      })
    addRest(facts.tags.count - Self.mostTags, to: &sheet)
  }

  func addRest(_ count: Int, to sheet: inout Sheet) {
    if count > 0 { sheet.line("and \(count) more (--json lists all)", .dim, indent: 2) }
  }
}
