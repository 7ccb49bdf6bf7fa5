import CommandLineKit
import EditLists
import ExactTime
import MediaEngine

/// What `trim list show` prints.
struct ListPage: Sendable {
  private let file: ListFile
  private let matched: MatchedList
  private let input: MediaInput

  init(_ file: ListFile, _ matched: MatchedList, input: MediaInput) {
    self.file = file
    self.matched = matched
    self.input = input
  }

  private var list: EditList { file.list }

  /// The list for people: each part in a line, its times in seconds.
  func text(asciiOnly: Bool) -> String {
    func shown(_ text: String) -> String { ForeignText.shown(text, asciiOnly: asciiOnly) }
    var text = ForeignText.shown(input.nameBytes, asciiOnly: asciiOnly)
    text += ": \(file.formatName), \(CountText.of(list.parts.count, "part"))"
    if !list.markers.isEmpty { text += ", \(CountText.of(list.markers.count, "marker"))" }
    if let rate = list.rate { text += ", \(rate) frames per second" }
    text += "\n"
    for (index, source) in list.sources.enumerated() where source.hint != nil {
      text += "source \(index + 1): \(shown(source.hint ?? ""))\n"
    }
    for (index, part) in list.parts.enumerated() {
      let range = part.range
      var row = "\(index + 1) \(part.isKept ? "keep" : "remove")"
      row += " \(DecimalText.shortest(range.start.seconds))"
      row += "..\(DecimalText.shortest(range.end.seconds))"
      if list.sources.count > 1 { row += " of source \(part.source + 1)" }
      if let name = part.name { row += " \(shown(name))" }
      text += row + "\n"
    }
    for marker in list.markers {
      text += "marker \(DecimalText.shortest(marker.time.seconds))"
      if list.sources.count > 1 { text += " of source \(marker.source + 1)" }
      if let name = marker.name { text += " \(shown(name))" }
      text += "\n"
    }
    if let note = file.rateNote { text += "\(note)\n" }
    for place in file.leftOut { text += "left out: \(shown(place))\n" }
    for finding in matched.findings { text += "does not fit: \(shown(finding))\n" }
    return text
  }

  /// The list as JSON.
  var value: JSONValue {
    let parts = list.parts.map { part in
      JSONValue.object([
        "source": .integer(part.source), "from": .time(part.range.start),
        "to": .time(part.range.end), "name": .optional(part.name), "kept": .bool(part.isKept),
      ])
    }
    let markers = list.markers.map { marker in
      JSONValue.object([
        "source": .integer(marker.source), "time": .time(marker.time),
        "name": .optional(marker.name),
      ])
    }
    let sources = list.sources.enumerated().map { index, source in
      JSONValue.object([
        "name": .optional(source.hint), "file": .optional(matched.media[index]?.name),
      ])
    }
    return .object(
      RecordHead.members(kind: ListCommand.command, input: input, bytes: nil)
        + JSONValue.members([
          "format": .string(file.format), "rate": .ratio(list.rate),
          "file_rate": .ratio(file.otherRate), "sources": .array(sources),
          "parts": .array(parts), "markers": .array(markers),
          "left_out": .array(file.leftOut.map(JSONValue.string)),
          "does_not_fit": .array(matched.findings.map(JSONValue.string)),
        ]))
  }
}
