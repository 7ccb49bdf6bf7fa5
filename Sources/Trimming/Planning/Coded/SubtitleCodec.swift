public import ExactTime
public import MediaFacts

/// What a cut needs to know about subtitle codecs, by FFmpeg's names.
public enum SubtitleCodec {
  /// Whether all containers store the same bytes, as for bitmap subtitles and teletext; text is stored
  /// differently in each.
  public static func isStoredAlike(_ codec: Codec) -> Bool {
    standsUntilNext(codec) || codec == .dvbTeletext || codec == .dvdSubtitle
  }

  /// Whether it is text, which can be converted to another text codec.
  public static func isText(_ codec: Codec) -> Bool {
    codec.isOne(of: .subRip, .text, .webVTT, .ass, .movText)
  }

  /// Whether a duration of zero means that none was stated; ASS has lines that are never shown.
  public static func mayLackLength(_ codec: Codec) -> Bool {
    codec.isOne(of: .subRip, .text, .webVTT, .dvdSubtitle)
  }

  /// Whether a packet of this size clears the screen: an empty timed text sample has a text length of zero
  /// (3GPP TS 26.245, 5.17).
  static func isBlank(_ codec: Codec, byteCount: Int) -> Bool {
    codec == .movText && byteCount <= 2
  }

  /// Whether subtitles stay on screen until the next update: Blu-ray (PGS) and DVB.
  ///
  /// A packet that is not a keyframe needs those before it, back to the last keyframe.
  public static func standsUntilNext(_ codec: Codec) -> Bool {
    codec == .pgs || isOfPages(codec)
  }

  /// Whether packets are pages that state a maximum display time: DVB (ETSI EN 300 743, 7.2.2).
  public static func isOfPages(_ codec: Codec) -> Bool { codec == .dvbSubtitle }

  /// The minimum distance at which packets that share a PTS in the source are written.
  ///
  /// FFmpeg's reader merges pages that share a PTS, which Matroska rounds to 1 ms ticks.
  public static func leastDistance(_ codec: Codec) -> MediaDuration {
    isOfPages(codec) ? MediaDuration(1, 1000) : .zero
  }
}
