import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The JSON of one cut, planned or done.
struct CutRecord {
  var input: MediaInput
  var output: [UInt8]
  var timecodes: CutTimecodes?
  /// What is left between removals but not written, since no frame begins in it.
  var frameless: [MediaTimeRange] = []
  /// What was looked for and found.
  var found: CutFindings?
  /// The edges of chosen cues.
  var edges: QuietEdges?
  /// What was written for the output besides; `nil` where it was not asked for.
  var sidecars: [Sidecars.Written]?

  /// - Parameter report: `nil` for a plan that was not executed.
  func value(_ plan: CutPlan, report: CutReport?) -> JSONValue {
    var members = RecordHead.members(kind: report == nil ? "plan" : "cut", input: input, bytes: nil)
    members += written(report)
    members += columns(plan, report: report)
    if let sidecars {
      members.append(
        JSONValue.Member(key: "sidecars", value: .array(sidecars.map(\.record))))
    }
    if report == nil { members += Self.executable(plan) }
    return .object(members)
  }

  /// The file that is written.
  func written(_ report: CutReport?) -> [JSONValue.Member] {
    JSONValue.members([
      "output": .object([
        "path": .string(String(decoding: output, as: UTF8.self)),
        "bytes": .optional(report?.byteCount),
      ])
    ])
  }

  /// The plan itself, so that a dry run can be executed later.
  static func executable(_ plan: CutPlan) -> [JSONValue.Member] {
    (try? JSONValue.encoded(plan)).map { [JSONValue.Member(key: "plan", value: $0)] } ?? []
  }

  /// The columns that a batch row also contains.
  func columns(_ plan: CutPlan, report: CutReport?) -> [JSONValue.Member] {
    settings(plan)
      + JSONValue.members([
        "range": .object([
          "from": .time(plan.requested.start), "to": .time(plan.requested.end),
        ]),
        "parts": .array(parts(of: plan)),
      ]) + outcome(plan, report: report, Self.track)
  }

  /// How the video is cut.
  func settings(_ plan: CutPlan) -> [JSONValue.Member] {
    JSONValue.members([
      "mode": .string(plan.request.mode.rawValue),
      "strict_range": .bool(plan.request.isStrict),
    ])
  }

  /// What is written, and what is known about it.
  func outcome(
    _ plan: CutPlan, report: CutReport?, _ track: (TrackPlan) -> JSONValue
  ) -> [JSONValue.Member] {
    JSONValue.members([
      "frameless": .array(
        frameless.map { .object(["from": .time($0.start), "to": .time($0.end)]) }),
      "found": found?.record ?? .null,
      "edges": edges?.record ?? .null,
      "written": .object([
        "start": .time(plan.written.start), "length": .time(report?.length ?? plan.length),
      ]),
      "summary": .string(CutOutlook([plan]).sentence),
      "frames": .integer(plan.frames),
      "encoded_frames": .integer(plan.encodedFrames),
      "copied_bytes": .integer(plan.copiedBytes),
      "estimated_bytes": .integer(plan.estimatedBytes),
      "tracks": .array(plan.tracks.map(track)),
      "verification": CutProofRecord.value(plan.request.verification, report),
      "damage": .array(report?.damage.map(CutProofRecord.damage) ?? []),
      "left_out": .array((report?.leftOut ?? plan.leftOut ?? []).map(Self.leftOut)),
      "creation_time": plan.creation.map(Self.creation) ?? .null,
    ])
  }

  /// The map of source and output times: a part is written from `written_from` up to `written_to` of the
  /// source, at `output_from` up to `output_to` of the output.
  private func parts(of plan: CutPlan) -> [JSONValue] {
    var end = MediaTime.zero
    return zip(plan.parts, plan.shownParts).map { timed, part in
      let start = end
      end = (try? end.advanced(by: part.length)) ?? end
      return .object([
        "from": .time(part.requested.start), "to": .time(part.requested.end),
        "written_from": .time(part.start),
        "written_to": .time(try? part.start.advanced(by: part.length)),
        "output_from": .time(start), "output_to": .time(end),
        "timecode": timecode(timed),
      ])
    }
  }

  private static func creation(_ time: CreationTime) -> JSONValue {
    .object([
      "field": .string(time.field), "source": .string(time.source),
      "written": .string(time.written),
    ])
  }

  private static func leftOut(_ part: LeftOut) -> JSONValue {
    .object([
      "type": .string(part.type), "place": .string(part.place),
      "bytes": .optional(part.byteCount), "count": .integer(part.count),
      "reason": .string(part.reason),
    ])
  }

  private func timecode(_ part: PartPlan) -> JSONValue {
    guard let timecodes, let ends = timecodes.ends(of: part) else { return .null }
    return .object([
      "origin": .string(timecodes.isOwn ? "source" : "zero"),
      "from": .string("\(ends.from)"), "to": .string("\(ends.to)"),
    ])
  }

  private static func track(_ track: TrackPlan) -> JSONValue {
    .object(members(of: track))
  }

  static func members(of track: TrackPlan) -> [JSONValue.Member] {
    JSONValue.members([
      "id": .integer(track.id), "index": .integer(track.index),
      "type": .string(track.kind.rawValue), "codec": .string(track.codec.rawValue),
      "cover_art": .bool(track.isCover), "how": .string(Self.how(track)),
      "encoded_as": .optional(track.encodedAs?.rawValue),
      "from": .time(track.source?.start), "to": .time(track.source?.end),
      "packets": .integer(track.packets), "encoded": .integer(track.encoded),
      "encoded_head": .integer(track.encodedHead), "encoded_tail": .integer(track.encodedTail),
      "hidden": .integer(track.hidden), "copied_bytes": .integer(track.copiedBytes),
      "hidden_length": .time(track.hiddenLength),
      "full_band_from": .time(track.fullBandFrom),
      "touched_gops": .integer(track.touchedGroups),
      "offset": .time(track.offset),
      "reasons": .array(track.reasons.map { .string($0.rawValue) }),
      "dropped_because": .optional(track.dropped),
    ])
  }

  /// One word for what happens to a track.
  static func how(_ track: TrackPlan) -> String {
    if track.dropped != nil { return "dropped" }
    if track.kind == .subtitle || track.kind == .data { return "clipped" }
    if track.encoded == 0 { return "copied" }
    return track.encoded == track.packets ? "encoded" : "joined"
  }
}
