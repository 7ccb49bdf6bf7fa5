import ExactTime
import MediaFacts

/// Sound that begins later than the output.
extension PartPlanner {
  /// Sound that is early by less is not noticed beside its pictures (ITU-R BT.1359-1).
  private static let unnoticed = MediaDuration(45, 1000)

  /// Whether sound begins later than the output, where copied packets would be heard from its beginning on.
  func beginsTooEarly(
    _ index: Int, _ range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let codec = tracks[index].codec
    guard writesPictures, rules.beginsWithPictures(codec) else { return false }
    let late = try exactCut(of: index, range).start.distance(from: .zero)
    return late > (SoundCodec.isLossless(codec) ? .zero : Self.unnoticed)
  }

  /// What is heard before the first packet of copied sound.
  struct Front {
    /// How much later it begins in the source than in the output, silence included.
    var late = MediaDuration.zero
    var isSilent = false
    var silence: MediaDuration { isSilent ? late : .zero }
  }

  /// Lets sound be heard from the output's beginning on where the container states nowhere when it begins:
  /// silence stands before what is encoded or has no packets, else it is heard early, or late.
  ///
  /// - Parameter encoded: what it is re-encoded as; `nil` where it is copied.
  func beginAtZero(
    _ cut: inout AudioCut, of track: SourceFacts.Track, encoded: String? = nil,
    _ report: inout TrackPlan
  ) throws(ExactTimeError) -> Front {
    guard writesPictures, rules.beginsWithPictures(encoded ?? track.codec) else { return Front() }
    let late = try cut.start.distance(from: .zero)
    let isFilled = late.isPositive && (encoded != nil || SoundCodec.isUncompressed(track.codec))
    if isFilled { report.reasons.append("gaps_filled") }
    cut.start = .zero
    guard encoded == nil else {
      cut.length = try cut.length.adding(late)
      return Front()
    }
    report.offset = isFilled ? .zero : try MediaDuration.zero.subtracting(late)
    return Front(late: late, isSilent: isFilled)
  }
}
