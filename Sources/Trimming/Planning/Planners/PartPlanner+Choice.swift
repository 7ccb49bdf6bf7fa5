import MediaFacts

extension PartPlanner {
  /// The tracks of a source, with only the chosen ones marked as presented.
  static func chosen(
    _ tracks: [SourceFacts.Track], _ choice: TrackChoice?
  ) throws(PlanRefusal) -> [SourceFacts.Track] {
    guard let choice else { return tracks }
    if let absent = choice.ids.subtracting(tracks.map(\.id)).min() {
      let known = tracks.map { "\($0.id) (\($0.kind.rawValue))" }.joined(separator: ", ")
      throw PlanRefusal(
        .emptyRange, "it has no track \(absent)", hint: "Its tracks: \(known).")
    }
    return tracks.map { track in
      var track = track
      track.isPresented = track.isPresented && choice.contains(kind: track.kind, id: track.id)
      return track
    }
  }

  /// The tracks, with those of unknown codec marked as not presented if there are others: no player can
  /// decode them.
  ///
  /// Tracks requested explicitly are not left out, nor is the only video track.
  static func known(
    _ tracks: [SourceFacts.Track], _ choice: TrackChoice?
  ) -> [SourceFacts.Track] {
    let known = tracks.filter {
      $0.isPresented && !$0.hasUnknownCodec && !$0.coded.packets.isEmpty
    }
    return tracks.map { track in
      guard track.hasUnknownCodec, choice?.contains(kind: track.kind, id: track.id) != true,
        known.contains(where: { $0.kind == .video || $0.kind == track.kind })
      else { return track }
      var track = track
      track.isPresented = false
      return track
    }
  }

  /// Chapters, timecodes, attachments and covers are kept with whatever is chosen.
  func isChosen(_ track: SourceFacts.Track) -> Bool {
    guard let choice = request.tracks else { return true }
    return track.isChapterTrack || track.isTimecode || track.kind == .attachment
      || track.isCover || choice.contains(kind: track.kind, id: track.id)
  }

  /// The default audio track, or the first one.
  var soundIndex: Int? { mainTrack(.audio) }

  /// The default presented track, or the first one.
  func mainTrack(_ kind: TrackKind) -> Int? {
    let known = tracks.indices.filter { tracks[$0].kind == kind && tracks[$0].isPresented }
    return known.first { tracks[$0].isDefault } ?? known.first
  }

  /// Whether only the default audio track is written.
  var isSoundAlone: Bool {
    if request.isSoundAlone { return true }
    guard rules.isMostlySound, let soundIndex else { return false }
    let pictures = tracks.indices.filter { tracks[$0].kind == .video && tracks[$0].isPresented }
    return pictures.isEmpty ? !fits(soundIndex, rules) : pictures.contains { !fits($0, rules) }
  }
}
