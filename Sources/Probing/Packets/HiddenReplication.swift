import Libav
import MediaFacts

/// Spectral band replication that no header signals: a decoder finds it in the frames, and outputs
/// twice the sample rate (ISO 14496-3, 1.6.5.2, implicit signaling).
enum HiddenReplication {
  /// Whether it may be present: it doubles rates of at most 24 kHz.
  static func isPossible(in facts: MediaFacts) -> Bool { facts.tracks.contains(where: isPossible) }

  private static func isPossible(in track: TrackFacts) -> Bool {
    track.codec == .aac && track.profile == "LC" && !track.isEncrypted
      && track.durations.presented != nil && track.audio?.sampleRate.map { $0 <= 24_000 } == true
  }

  /// Describes the audio as output by a decoder.
  static func reveal(in facts: inout MediaFacts, as decoded: [LibavTrack]) {
    for position in facts.tracks.indices where isPossible(in: facts.tracks[position]) {
      guard let audio = facts.tracks[position].audio, let rate = audio.sampleRate,
        let found = decoded.first(where: { $0.index == facts.tracks[position].index }),
        found.codec == .aac, found.sampleRate == 2 * rate
      else { continue }
      var heard = PacketTracks.audio(of: found)
      heard.sampleFormat = audio.sampleFormat
      heard.priming = audio.priming.map { 2 * $0 }
      heard.padding = audio.padding.map { 2 * $0 }
      let reported = TrackNotes.hiddenSamples(of: facts.tracks[position])
      facts.tracks[position].audio = heard
      facts.tracks[position].profile = found.profile
      // In the order in which they were reported.
      for (old, new) in zip(reported, TrackNotes.hiddenSamples(of: facts.tracks[position])) {
        if let place = facts.notes.firstIndex(of: old) { facts.notes[place] = new }
      }
    }
  }
}
