import ExactTime
import MediaFacts
import MediaFiles

/// A section of the source's audio.
struct DamagedAudio {
  var kind: CutDamage.Kind
  var text: String
  /// Whether silence takes its place.
  var isSilenced: Bool
  /// On the timeline of the file that holds it.
  var source: MediaTimeRange
  /// Counted from where the track is first heard in the output.
  var heard: MediaTimeRange
  var packets = 1
  /// The last packet.
  var last: Int
  /// Which of several files holds it; `nil` where there is only one.
  var file: Int?
}

extension OutputTrack {
  /// What was damaged in audio that was re-encoded, and in pictures of which others were made.
  func replacedDamage(in source: any CutSource) throws(MediaError) -> [CutDamage] {
    guard let made else { return try replacedPictures(in: source) }
    let facts = source.tracks[self.source].facts
    do throws(ExactTimeError) {
      let lead = try shown.start.distance(from: .zero)
      return try made.damage.map { entry throws(ExactTimeError) in
        CutDamage(
          track: self.source, id: facts.id, type: facts.kind, codec: facts.codec,
          kind: entry.kind, source: entry.source,
          output: try MediaTimeRange(
            from: entry.heard.start.advanced(by: lead), length: entry.heard.checkedLength()),
          packets: entry.packets, text: entry.text, isSilenced: entry.isSilenced,
          sourceNumber: entry.file)
      }
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
