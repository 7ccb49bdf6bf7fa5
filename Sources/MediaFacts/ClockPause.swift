public import ExactTime

/// Distinguishes a pause from a clock reset where timestamps jump by over ten seconds.
public enum ClockPause {
  /// The longest pause: a longer jump counts as an unannounced reset, which may jump up to 26.5
  /// hours (33 bits at 90 kHz).
  public static let longest = MediaDuration(600)
}
