import ExactTime
import ISOMedia
package import MediaFacts

/// Notes on the oddities of one track's timing, with the numbers.
package enum ISOTrackNotes {
  package static func notes(of probe: ISOTrackProbe, _ facts: TrackFacts) -> [Note] {
    guard let times = probe.times, let timeline = probe.timeline else { return [] }
    var notes = editNotes(probe, timeline, times, facts.id)
    if times.lastTakesNoTime {
      notes.append(
        Note(
          .lastDurationZero, track: facts.id,
          "The last frame has a duration of 0, and the header does not count it either: it takes "
            + "no time."))
    }
    if let stray = StrayNote.note(
      of: probe.strays, probe.grid, length: try? probe.presented?.checkedLength(),
      stated: probe.statedLength, track: facts.id)
    {
      notes.append(stray)
    }
    return notes
      + TrackNotes.notes(
        of: facts, start: probe.presented?.start, hasNegativeDTS: times.hasNegativeDTS,
        lacksLastDuration: times.guessedLastDuration)
  }

  private static func editNotes(
    _ probe: ISOTrackProbe, _ timeline: EditedTimeline, _ times: ISOMediaTimes, _ id: Int
  ) -> [Note] {
    guard !probe.track.edits.isEmpty else { return [] }
    var notes: [Note] = []
    if probe.track.edits.first?.isEmpty == true, let start = timeline.segments.first?.start {
      notes.append(
        Note(
          .editListStartOffset, track: id,
          "The edit list shows nothing for the first \(SecondsText.text(start.seconds)) s."))
    }
    if timeline.segments.count > 1 {
      notes.append(
        Note(
          .editListMultiple, track: id,
          "The edit list shows \(timeline.segments.count) segments of the media."))
    }
    if timeline.isOverflowing {
      notes.append(
        Note(
          .editListImpossible, track: id,
          "The edit list contains values beyond 64 bits; what follows them is ignored."))
    }
    if timeline.segments.isEmpty {
      notes.append(
        Note(.editListEmpty, track: id, "The edit list shows nothing of this track."))
    }
    guard let first = timeline.segments.first, let last = timeline.segments.last else {
      return notes
    }
    if first.mediaStart > times.first, probe.isVideo {
      let (ticks, isBeyond) = first.mediaStart.subtractingReportingOverflow(times.first)
      notes.append(hidden(.editListHidesStart, isBeyond ? nil : ticks, "first", probe))
    }
    if let end = last.mediaEnd, Rational(times.end) > end, probe.isVideo,
      let ticks = try? Rational(times.end).subtracting(end).rounded(.down), ticks > 0
    {
      notes.append(hidden(.editListHidesEnd, ticks, "last", probe))
    }
    return notes
  }

  private static func hidden(
    _ id: Note.ID, _ ticks: Int64?, _ which: String, _ probe: ISOTrackProbe
  ) -> Note {
    let length = ticks.flatMap { try? probe.grid.duration(ofTicks: $0) }
      .map { Disagreements.text($0) }
    return Note(
      id, track: Int(probe.track.id),
      "The edit list hides the \(which) \(length ?? "part") of the media.")
  }
}
