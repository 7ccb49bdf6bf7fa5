import ExactTime
import MediaFacts

/// Audio that begins later than the output.
extension PartPlanner {
  /// Audio that leads the video by less goes unnoticed (ITU-R BT.1359-1).
  private static let unnoticed = MediaDuration(45, 1000)

  /// Whether audio begins later than the output, where copied packets would be heard from the start.
  func beginsTooEarly(
    _ index: Int, _ range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let codec = tracks[index].codec
    guard writesPictures, rules.beginsWithPictures(codec) else { return false }
    let late = try exactCut(of: index, range).start.distance(from: .zero)
    return late > (SoundCodec.isLossless(codec) ? .zero : Self.unnoticed)
  }

  /// What precedes the first packet of copied audio.
  struct Front {
    /// How much later it begins in the source than in the output, silence included.
    var late = MediaDuration.zero
    var isSilent = false
    var silence: MediaDuration { isSilent ? late : .zero }
  }

  /// How much later a cut begins than the output, where the container does not state when its audio begins;
  /// `nil` where it does.
  private func lateness(of cut: AudioCut, _ codec: Codec) throws(ExactTimeError) -> MediaDuration? {
    guard writesPictures, rules.beginsWithPictures(codec) else { return nil }
    return try cut.start.distance(from: .zero)
  }

  /// Where the container does not state when audio begins, copied audio starts at zero: after silence for
  /// uncompressed audio, otherwise early or late.
  func beginAtZero(
    _ cut: inout AudioCut, of track: SourceFacts.Track, _ report: inout TrackPlan
  ) throws(ExactTimeError) -> Front {
    guard let late = try lateness(of: cut, track.codec) else { return Front() }
    let isSilent = late.isPositive && SoundCodec.isUncompressed(track.codec)
    if isSilent { report.reasons.append(.gapsFilled) }
    cut.start = .zero
    report.offset = isSilent ? .zero : try MediaDuration.zero.subtracting(late)
    return Front(late: late, isSilent: isSilent)
  }

  /// Where the container does not state when audio begins, encodes silence before it, from zero on.
  func encodeFront(
    of cut: inout AudioCut, as codec: Codec, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    guard let late = try lateness(of: cut, codec) else { return }
    if late.isPositive { report.reasons.append(.gapsFilled) }
    cut.start = .zero
    cut.length = try cut.length.adding(late)
  }
}
