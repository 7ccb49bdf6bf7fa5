public import ExactTime

/// What a cut must know of codecs of subtitles, by FFmpeg's names.
public enum SubtitleCodec {
  /// Whether containers have the same bytes of them, as of pictures and of teletext; text is stored otherwise in each.
  public static func isStoredAlike(_ codec: String) -> Bool {
    standsUntilNext(codec) || codec == "dvb_teletext" || codec == "dvd_subtitle"
  }

  /// Whether it is text, which can become that of another codec.
  public static func isText(_ codec: String) -> Bool {
    ["subrip", "text", "webvtt", "ass", "mov_text"].contains(codec)
  }

  /// Whether a length of zero is none that was stated; ASS has lines that are never shown.
  public static func mayLackLength(_ codec: String) -> Bool {
    ["subrip", "text", "webvtt", "dvd_subtitle"].contains(codec)
  }

  /// Whether a packet of so many bytes takes text off the screen: one of timed text is a length of zero then (3GPP TS
  /// 26.245, 5.17).
  static func isBlank(_ codec: String, byteCount: Int) -> Bool {
    codec == "mov_text" && byteCount <= 2
  }

  /// Whether subtitles change what is on a screen, where they stand until others do: those of Blu-ray (PGS) and DVB.
  ///
  /// A packet that is no key needs those before it, from the last key on.
  public static func standsUntilNext(_ codec: String) -> Bool {
    codec == "hdmv_pgs_subtitle" || isOfPages(codec)
  }

  /// Whether a packet is a page, which says for how long it stands at most: those of DVB (ETSI EN 300 743, 7.2.2).
  public static func isOfPages(_ codec: String) -> Bool { codec == "dvb_subtitle" }

  /// How far apart packets are written, which may have one PTS in the source.
  ///
  /// FFmpeg's reader merges pages that share a PTS, which Matroska rounds to its ticks of 1 ms.
  public static func leastDistance(_ codec: String) -> MediaDuration {
    isOfPages(codec) ? MediaDuration(1, 1000) : .zero
  }
}
