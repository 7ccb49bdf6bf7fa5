import ExactTime
import Trimming

/// A part of an audio track that is re-encoded.
struct AudioPart {
  /// States the packets to decode; an empty range if there are none.
  var cut: AudioCut
  /// What is heard, on the file's timeline.
  var range: MediaTimeRange
  /// Where it begins in the output's audio.
  var offset: MediaDuration = .zero
}
