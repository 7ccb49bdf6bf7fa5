import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// What a proof examined, what it did not, and the damage it found, as JSON.
enum CutProofRecord {
  static func value(_ asked: CutRequest.Verification, _ report: CutReport?) -> JSONValue {
    let examination = report?.examination
    let tracks = examination?.tracks ?? []
    return .object([
      "mode": .string(report == nil ? "none" : asked.rawValue),
      "packets": .optional(examination.map { _ in tracks.reduce(0) { $0 + $1.packets } }),
      "decoded": .optional(examination.map { _ in tracks.reduce(0) { $0 + $1.decoded } }),
      "not_decoded": .array(
        tracks.filter { $0.decoded < $0.packets }.map { track in
          .object([
            "id": .integer(track.id), "index": .integer(track.track),
            "type": .string(track.type.rawValue),
            "packets": .integer(track.packets - track.decoded),
            "inspected": .bool(track.isInspected),
            "ranges": .array(track.notDecoded.map(range)),
          ])
        }),
    ])
  }

  static func damage(_ damage: CutDamage) -> JSONValue {
    .object([
      "id": .integer(damage.id), "index": .integer(damage.track),
      "type": .string(damage.type.rawValue), "codec": .string(damage.codec.rawValue),
      "cover_art": .bool(damage.isCover), "silenced": .bool(damage.isSilenced),
      "what": .string(damage.kind.rawValue), "source": .optional(damage.sourceNumber),
      "from": .time(damage.source.start), "to": .time(damage.source.end),
      "written": range(damage.output),
      "packets": .integer(damage.packets), "text": .string(damage.text),
    ])
  }

  private static func range(_ range: MediaTimeRange) -> JSONValue {
    .object(["from": .time(range.start), "to": .time(range.end)])
  }
}
