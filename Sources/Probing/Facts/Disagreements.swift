package import ExactTime
package import MediaFacts

/// Compares the durations of a file or a track, and adds notes where two differ by more than a
/// frame.
package enum Disagreements {
  /// The notes that follow from the durations alone.
  package static let identifiers: Set<Note.ID> = [
    .nothingPresented, .declaredEstimated, .declaredTooLong, .declaredTooShort,
    .declaredMissing, .indexedDiffers,
  ]

  /// - Parameters:
  ///   - frame: the tolerance: the duration of one frame of the deciding track.
  ///   - track: `nil` for the file as a whole.
  package static func notes(
    for durations: Durations, frame: MediaDuration, track: Int?
  ) -> [Note] {
    guard let presented = durations.presented else {
      guard durations.declared != nil || durations.track != nil else { return [] }
      return [
        Note(
          .nothingPresented, track: track,
          "A duration is declared, but nothing was found that a player could show.")
      ]
    }
    var notes: [Note] = []
    let subject = track == nil ? "The container" : "The track's header"
    let stated = track == nil ? durations.declared : durations.track
    if let stated {
      if stated.source == .estimate {
        // A track's indexed duration counts for the file too.
        if track == nil {
          notes.append(
            Note(
              .declaredEstimated,
              "The duration of \(text(stated.length)) is an estimate from the bit rate; "
                + "\(text(presented.length)) are presented."))
        }
      } else if stated.length.isFurther(than: frame, from: presented.length) {
        let isLong = stated.length > presented.length
        notes.append(
          Note(
            isLong ? .declaredTooLong : .declaredTooShort, track: track,
            "\(subject) declares \(text(stated.length)), "
              + "but \(text(presented.length)) are presented."))
      }
    } else if track == nil {
      notes.append(Note(.declaredMissing, "The container declares no duration."))
    }
    if let indexed = durations.indexed,
      indexed.length.isFurther(than: frame, from: presented.length)
    {
      notes.append(
        Note(
          .indexedDiffers, track: track,
          "The sample table adds up to \(text(indexed.length)), "
            + "but \(text(presented.length)) are presented."))
    }
    return notes
  }

  /// The note that a decode found a duration other than the presented one.
  package static func decodedNote(
    for durations: Durations, frame: MediaDuration, track: Int?
  ) -> [Note] {
    guard let presented = durations.presented, let decoded = durations.decoded,
      decoded.length.isFurther(than: frame, from: presented.length)
    else { return [] }
    return [
      Note(
        .decodedDiffers, track: track,
        "Decoding yields \(text(decoded.length)), "
          + "but \(text(presented.length)) are presented.")
    ]
  }

  /// Seconds with at most six digits, and the unit.
  package static func text(_ length: MediaDuration) -> String {
    SecondsText.text(length.seconds) + " s"
  }
}

extension MediaDuration {
  /// True when two lengths differ by more than `tolerance`, or by more than 64 bits can express.
  package func isFurther(than tolerance: MediaDuration, from other: MediaDuration) -> Bool {
    guard let difference = try? subtracting(other) else { return true }
    return difference > tolerance || difference < .zero - tolerance
  }
}
