import Bitstreams
import Libav
import MediaFacts

/// Video without a container has no timestamps, and its headers need not state a frame rate
/// (ITU-T H.264 and H.265, E.2.1: `vui_timing_info_present_flag`): FFmpeg then assumes 25 frames
/// per second.
enum AssumedRate {
  static func isStated(by track: LibavTrack) -> Bool {
    VideoHeader(codec: track.codec, configuration: track.extradata)?.frameRate != nil
  }

  static func note(format: String, _ facts: MediaFacts, _ isStated: Bool) -> Note? {
    guard SourceRules(format).assumesFrameRate, !isStated, let track = facts.tracks.first else {
      return nil
    }
    return Note(
      .frameRateAssumed, track: track.id,
      "The stream states no frame rate: 25 frames per second are an assumption, on which all "
        + "times depend.")
  }
}
