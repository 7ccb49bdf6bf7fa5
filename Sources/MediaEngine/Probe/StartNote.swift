import ExactTime
import MediaFacts

/// The note on a track that does not start at zero.
enum StartNote {
  static func note(_ start: MediaTime, track id: Int) -> Note {
    let text = SecondsText.text(start.seconds)
    return start < .zero
      ? Note("starts-before-zero", track: id, "The first sample is presented at \(text) s.")
      : Note("starts-late", track: id, "Nothing is presented before \(text) s.")
  }
}
