package import ExactTime
package import MediaFacts

/// The notes that follow from a track's facts, however they were found.
package enum TrackNotes {
  /// - Parameters:
  ///   - start: when its first sample is presented, where that is known.
  ///   - lacksLastDuration: its last frame has no stated duration.
  package static func notes(
    of facts: TrackFacts, start: MediaTime?, hasNegativeDTS: Bool, lacksLastDuration: Bool
  ) -> [Note] {
    let id = facts.id
    var notes = hiddenSamples(of: facts)
    if hasNegativeDTS {
      notes.append(Note(.negativeDTS, track: id, "Decoding timestamps start below zero."))
    }
    if lacksLastDuration {
      notes.append(
        Note(
          .lastDurationMissing, track: id,
          "The last frame has no duration; it is shown for as long as the frames before it, or until "
            + "everything else ends."))
    }
    if facts.video?.isConstantFrameRate == false {
      notes.append(
        Note(.variableFrameRate, track: id, "Frames are not equally spaced (VFR)."))
    }
    if let start, start != .zero { notes.append(startNote(start, id)) }
    if let gops = facts.gops, gops.openCount > 0 {
      notes.append(
        Note(
          .openGOP, track: id,
          (gops.openCount == 1
            ? "One of \(gops.count) GOPs is open: frames shown before its keyframe need"
            : "\(gops.openCount) of \(gops.count) GOPs are open: frames shown before their keyframe need")
            + " the previous GOP."))
    }
    notes += HDRNotes.notes(of: facts)
    if facts.isEncrypted {
      notes.append(
        Note(.encrypted, track: id, "The samples are encrypted; they are not decoded."))
    }
    return notes
  }

  /// How many samples at its ends are not presented.
  static func hiddenSamples(of facts: TrackFacts) -> [Note] {
    var notes: [Note] = []
    if let priming = facts.audio?.priming {
      notes.append(
        Note(
          facts.isPrimedByEncoder ? .audioPriming : .audioHiddenLead, track: facts.id,
          facts.isPrimedByEncoder
            ? "The first \(priming) samples are the encoder's priming and are not presented."
            : "The first \(priming) samples come before the start and are not presented; a cut "
              + "that copies packets leaves such hidden audio."))
    }
    if let padding = facts.audio?.padding {
      notes.append(
        Note(
          .audioPadding, track: facts.id,
          "The last \(padding) samples are padding and are not presented."))
    }
    return notes
  }

  private static func startNote(_ start: MediaTime, _ id: Int) -> Note {
    let text = SecondsText.text(start.seconds)
    return start < .zero
      ? Note(.startsBeforeZero, track: id, "The first sample is presented at \(text) s.")
      : Note(.startsLate, track: id, "Nothing is presented before \(text) s.")
  }
}
