public import ExactTime

/// How a pause is told from a clock reset, where no packet begins for over ten seconds.
public enum ClockPause {
  /// An unannounced reset may jump up to 26.5 hours (33 bits of 90 kHz); a longer jump than this is taken for one.
  public static let longest = MediaDuration(600)
}
