/// What a cut must know of codecs of subtitles, by FFmpeg's names.
public enum SubtitleCodec {
  /// Whether containers have the same bytes of them, as of pictures and of teletext; text is stored otherwise in each.
  public static func isStoredAlike(_ codec: String) -> Bool {
    standsUntilNext(codec) || codec == "dvb_teletext" || codec == "dvd_subtitle"
  }

  /// Whether subtitles change what is on a screen, where they stand until others do: those of Blu-ray (PGS) and DVB.
  ///
  /// A packet that is no key needs those before it, from the last key on.
  public static func standsUntilNext(_ codec: String) -> Bool {
    codec == "hdmv_pgs_subtitle" || codec == "dvb_subtitle"
  }
}
