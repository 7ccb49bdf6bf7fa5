import ExactTime
import MediaFacts
import Trimming

/// A plan as text for people.
enum CutScreen {
  static func text(_ plan: CutPlan, _ traits: StreamTraits, isPlain: Bool) -> String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let from = DecimalText.shortest(plan.requested.start.seconds)
    let to = DecimalText.shortest(plan.requested.end.seconds)
    let length = DecimalText.shortest(plan.length.seconds)
    sheet.row("range \(from) .. \(to), written \(length) s")
    for track in plan.tracks { sheet.row(line(track)) }
    return sheet.text
  }

  private static func line(_ track: TrackPlan) -> String {
    var text = "track \(track.id) \(track.kind.rawValue) \(track.codec): "
    if let reason = track.dropped { return text + "dropped, because \(reason)" }
    if track.kind == .video {
      let copied = track.packets - track.encoded
      text += "\(track.packets) frames, \(copied) copied, \(track.encoded) encoded anew"
      if track.encoded > 0 { text += " (\(track.encodedHead) + \(track.encodedTail))" }
    } else {
      text += "\(track.packets) packets copied"
    }
    if !track.reasons.isEmpty { text += ", " + track.reasons.joined(separator: ", ") }
    return text
  }
}
