/// What a cut must know of codecs of subtitles, by FFmpeg's names.
public enum SubtitleCodec {
  /// Whether subtitles change what is on a screen, where they stand until others do: those of Blu-ray (PGS).
  ///
  /// A packet that is no key needs those before it, from the last key on.
  public static func standsUntilNext(_ codec: String) -> Bool { codec == "hdmv_pgs_subtitle" }
}
