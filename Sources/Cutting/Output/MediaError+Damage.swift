import ExactTime
import MediaFacts
import MediaFiles
import Probing
import Trimming

extension MediaError {
  static let disorderText =
    "the decoder outputs its frames in a different order than their PTS"

  /// The encoder's output has a form that cannot be joined to the source's pictures.
  static let notUnderstood = MediaError(
    .internalError, "the encoder's pictures cannot be parsed")

  /// An encoder instance has one size, aspect ratio and pixel format.
  static let formatChanges = MediaError(
    .notCuttable,
    "the video changes its size, aspect ratio or pixel format within the re-encoded range",
    hint: "Choose a range on one side of the change, or copy whole GOPs (mode: copy).")

  /// A replacement picture has no counterpart among the copied ones.
  static let unplaced = MediaError(
    .internalError, "an encoded picture has no counterpart among the copied ones")

  /// Nothing was decoded that an encoder could be set up for.
  static let noSound = MediaError(
    .damaged, "none of its audio in the range can be decoded",
    hint: "Leave the track out (tracks), or choose a range with audio that can be decoded.")

  /// The error with the track that it is about, if it is about one and does not name it yet.
  func naming(_ track: SourceTrack) -> MediaError {
    let kinds: [Code] = [
      .damaged, .notCuttable, .codecMissing, .codecDoesNotFit, .notDecoded, .encrypted,
    ]
    guard kinds.contains(code), !message.contains("track \(track.facts.id)") else { return self }
    var error = self
    error.message += " (track \(track.facts.id), \(track.facts.codec))"
    return error
  }

  /// Reports source damage at packets of a track.
  static func damaged(
    _ track: SourceTrack, places: [Int], _ what: String, hint: String? = nil
  ) -> MediaError {
    let packets = track.coded.packets
    let known = places.filter(packets.indices.contains).map { packets[$0] }
    var times: MediaTimeRange?
    if let start = known.map(\.pts).min(),
      let end = known.map({ $0.pts &+ max(0, $0.duration) }).max(),
      let from = try? track.coded.time(atTick: start),
      let to = try? track.coded.time(atTick: end)
    {
      times = MediaTimeRange(from: from, to: to)
    }
    let ownHint = track.facts.kind == .audio ? Self.soundHint : nil
    return damaged(track: track.facts.id, times, what, hint: hint ?? ownHint)
  }

  private static let soundHint =
    "Choose a range without it, or re-encode the audio (audio: reencode): silence replaces what "
    + "does not decode."

  static func damaged(
    track: Int, _ times: MediaTimeRange?, _ what: String, hint: String? = nil
  ) -> MediaError {
    var place = ""
    if let times {
      let from = SecondsText.text(times.start.seconds)
      place = ", from \(from) to \(SecondsText.text(times.end.seconds)) s"
    }
    var error = MediaError(
      .damaged, "the source is damaged: \(what) (track \(track)\(place))",
      hint: hint ?? "Choose a range without it, or copy whole GOPs (mode: copy).")
    error.times = times
    return error
  }
}

extension CutReport {
  /// The error for a cut that contains source damage.
  var refusal: MediaError? {
    guard let first = damage.first else { return nil }
    let others = damage.count - 1
    let more =
      others > 0 ? ", and in \(others) more \(others == 1 ? "place" : "places")" : ""
    guard !first.isCover else {
      return .damaged(
        track: first.id, nil, "in its cover art, " + first.text + more,
        hint: "Remove it from the source, or accept the damage.")
    }
    var error = MediaError.damaged(
      track: first.id, first.source, first.text + more,
      hint: "Choose a range without it, or accept the damage.")
    error.source = first.sourceNumber
    return error
  }
}
