#if FFmpeg
  import ExactTime

  /// A section of the source's audio.
  struct DamagedSound {
    var kind: CutDamage.Kind
    var text: String
    /// Whether silence takes its place.
    var isSilenced: Bool
    /// On the source's timeline.
    var source: MediaTimeRange
    /// Counted from where the track is first heard in the output.
    var heard: MediaTimeRange
    var packets = 1
    /// The last packet.
    var last: Int
  }
#endif
