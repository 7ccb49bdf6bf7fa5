import Trimming

/// How much of a track of one part is copied, and how much is re-encoded, in packets of the source.
struct SourceWork {
  var copied: Int
  var encoded: Int

  init(_ track: PartPlan.Track) {
    if let cut = track.video {
      (copied, encoded) = (cut.copiedCount, cut.encodedCount)
    } else if let cut = track.audio {
      (copied, encoded) = track.encodesSound ? (0, cut.packetCount) : (cut.packetCount, 0)
    } else {
      (copied, encoded) = (track.clipped.count, 0)
    }
  }
}
