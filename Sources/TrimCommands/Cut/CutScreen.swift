import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// A plan, or what became of it, as text for people.
enum CutScreen {
  static func text(
    _ plan: CutPlan, _ report: CutReport?, output: [UInt8], _ traits: StreamTraits, isPlain: Bool
  ) -> String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let length = DecimalText.shortest(plan.length.seconds)
    let name = sheet.foreign(output)
    if let report {
      sheet.row("\(name): \(length) s, \(ByteCount.text(report.byteCount))", .good)
    } else {
      sheet.row("\(name): would be \(length) s", .strong)
    }
    for part in plan.parts {
      let from = DecimalText.shortest(part.start.seconds)
      let to = DecimalText.shortest(part.end.seconds)
      sheet.row("  from \(from) up to \(to)")
    }
    for track in plan.tracks { sheet.row("  " + line(track)) }
    return sheet.text
  }

  private static func line(_ track: TrackPlan) -> String {
    var text = "track \(track.id), \(track.kind.rawValue), \(track.codec): "
    if let reason = track.dropped { return text + "dropped: \(reason)" }
    switch track.kind {
    case .video:
      let copied = track.packets - track.encoded
      text += "\(track.packets) frames, \(copied) copied"
      if track.encoded > 0 {
        text += ", \(track.encoded) encoded anew"
        text += " (\(track.encodedHead) before, \(track.encodedTail) behind)"
      }
      if track.hidden > 0 { text += ", \(track.hidden) of them hidden by the edit list" }
    case .audio where track.encoded > 0: text += "\(track.packets) packets encoded anew"
    case .audio: text += "\(track.packets) packets copied"
    default: text += "\(track.packets) packets clipped to the range"
    }
    if let offset = track.offset, offset != .zero {
      let size = DecimalText.shortest((try? offset.checkedMagnitude().seconds) ?? .zero)
      text += ", heard \(size) s \(offset < .zero ? "early" : "late")"
    }
    for reason in track.reasons { text += "; " + (sentences[reason] ?? reason) }
    return text
  }

  private static let sentences = [
    "no_random_access_point": "no keyframe lies in the range from which it could be copied",
    "asked_for": "as asked for",
    "cannot_be_joined": "its coding cannot be joined with another",
    "ends_with_packet": "heard to the end of its last packet, which nothing hides here",
    "exact_to_the_sample": "without loss, to begin and end with the right sample",
    "begins_with_packet": "from the packet in which the range begins; the end is exact",
    "whole_packets": "cut between packets, since this container cannot hide samples",
  ]
}
