public import ExactTime

/// How a pause of a file is told from a clock that is reset, where nothing begins for over ten seconds.
public enum ClockPause {
  /// A clock that is set without a word steps as far as 26.5 hours (33 bits of 90 kHz); nobody waits longer than
  /// this for a picture.
  public static let longest = MediaDuration(600)
}
