import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The JSON of one probed file, version 1 of the schema in `Documentation/Probe-JSON.md`.
///
/// The order of the keys is fixed. `null` means unknown; what was not requested is absent.
struct FactsRecord: Sendable {
  var input: MediaInput
  var limit: LengthLimit
  var listsKeyframes = false
  var listsFrames = false
  /// The range named for the file.
  var part: NamedPart?

  /// - Parameter fillsColumns: gives rows of facts and rows of errors the same columns, for
  ///   readers that take the schema from the rows.
  func row(_ facts: MediaFacts, fillsColumns: Bool) -> JSONValue {
    var members = RecordHead.members(kind: "probe", input: input, bytes: facts.byteCount)
    members += columns(of: facts)
    if fillsColumns { members += JSONValue.members(["error": .null]) }
    return .object(members)
  }

  func row(_ error: MediaError, fillsColumns: Bool) -> JSONValue {
    ErrorRecord.row(error, input: input, nullColumns: fillsColumns ? Self.columnNames : [])
  }

  func columns(of facts: MediaFacts) -> [JSONValue.Member] {
    let tracks = facts.tracks.map {
      TrackRecord(track: $0, listsKeyframes: listsKeyframes, listsFrames: listsFrames).value
    }
    var members = JSONValue.members([
      "container": container(facts),
      "depth": .string(facts.depth.rawValue),
      "durations": durations(facts),
      "rule": RuleRecord.value(limit, facts.durations.presented?.length),
      "tracks": .array(tracks),
      "chapters": .array(facts.chapters.map(Self.chapter)),
      "tags": Self.tags(facts.tags),
      "notes": .array(facts.notes.map(Self.note)),
      "damage": .array(facts.damage.map(Self.damage)),
    ])
    if let part { members += JSONValue.members(["part": value(part)]) }
    return members
  }

  private func value(_ part: NamedPart) -> JSONValue {
    .object([
      "start": .time(part.start), "end": .time(part.end), "length": .time(part.length),
      "is_video_length_valid": .bool(limit.isValid(part.length)),
    ])
  }

  private static let columnNames = [
    "container", "depth", "durations", "rule", "tracks", "chapters", "tags", "notes", "damage",
  ]

  private func container(_ facts: MediaFacts) -> JSONValue {
    let container = facts.container
    return .object([
      "format": .string(container.format),
      "long_name": .string(container.longName),
      "brands": .array(container.brands.map(JSONValue.string)),
      "fragmented": .bool(container.isFragmented),
      "seekable": .bool(container.isSeekable),
      "bit_rate": .optional(container.bitRate),
    ])
  }

  private func durations(_ facts: MediaFacts) -> JSONValue {
    let verdict = DurationVerdict(facts)
    return .object(
      DurationRecord.members(facts.durations)
        + JSONValue.members(["verdict": .string(verdict.rawValue)]))
  }

  private static func chapter(_ chapter: ChapterFacts) -> JSONValue {
    .object([
      "number": .integer(chapter.number), "title": .optional(chapter.title),
      "start": .time(chapter.start), "end": .time(chapter.end),
    ])
  }

  /// Tags as pairs, not members: a key may occur twice, and rows keep the same columns.
  static func tags(_ tags: [Tag]) -> JSONValue {
    .array(tags.map { .object(["key": .string($0.key), "value": .string($0.value)]) })
  }

  private static func note(_ note: Note) -> JSONValue {
    .object([
      "id": .string(note.id.rawValue), "track": .optional(note.trackID),
      "text": .string(note.text),
    ])
  }

  static func damage(_ damage: Damage) -> JSONValue {
    .object([
      "kind": .string(damage.kind.rawValue), "byte_offset": .optional(damage.byteOffset),
      "track": .optional(damage.trackID), "count": .optional(damage.count),
      "text": .string(damage.text),
    ])
  }
}
