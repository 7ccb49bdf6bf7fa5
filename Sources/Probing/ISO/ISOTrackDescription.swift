import ExactTime
package import ISOMedia
package import MediaFacts

/// What a track is, from its headers: codec, size, language, edits as stored.
package enum ISOTrackDescription {
  package static func facts(of track: ISOTrack, in movie: ISOMovie, at index: Int) -> TrackFacts {
    let entry = track.firstEntry
    var facts = TrackFacts(
      id: Int(track.id), index: index, kind: kind(of: track),
      codec: entry.map { ISOCodecNames.name(for: $0, kind: track.handler) } ?? .unknown)
    facts.codecTag = entry.map { "\($0.format)" }
    facts.language = track.language
    facts.title = track.title
    facts.isEncrypted = track.isEncrypted
    facts.dispositions = track.isEnabled ? ["default"] : []
    facts.tags = tags(of: track, entry)
    let timecode = ISOTimecodes.clock(of: track, in: movie)
    facts.timecode = timecode?.first.description
    facts.timecodeRate = timecode?.first.rate.framesPerSecond
    facts.timecodeStart = timecode?.start
    facts.laterTimecodes = (timecode?.later ?? []).map {
      LaterTimecode(timecode: $0.first.description, start: $0.start)
    }
    facts.grid = track.timescale.map { TickGrid(ticksPerSecond: $0) }
    facts.edits = track.edits.prefix(1000).map { edit in
      EditFacts(
        length: length(of: edit, in: movie),
        mediaStart: edit.isEmpty ? nil : time(edit.mediaTime, facts.grid), rate: edit.rate)
    }
    if let entry {
      if let video = entry.video { facts.video = self.video(video, entry, track, &facts) }
      if let audio = entry.audio { facts.audio = self.audio(audio, entry, &facts) }
    }
    return facts
  }

  /// The names of handler and encoder as tags: useful, but not titles.
  private static func tags(of track: ISOTrack, _ entry: ISOSampleEntry?) -> [Tag] {
    var tags = track.tags.filter { $0.key != "title" }.map { Tag(key: $0.key, value: $0.value) }
    if let name = track.handlerName { tags.append(Tag(key: "handler_name", value: name)) }
    if let name = entry?.video?.compressorName { tags.append(Tag(key: "encoder", value: name)) }
    return tags
  }

  private static func time(_ tick: Int64, _ grid: TickGrid?) -> MediaTime? {
    guard let grid else { return nil }
    return try? grid.time(atTick: tick)
  }

  /// `nil` for "to the end", which a fragmented file writes as zero.
  private static func length(of edit: ISOEdit, in movie: ISOMovie) -> MediaDuration? {
    guard let timescale = movie.timescale, let ticks = Int64(exactly: edit.segmentDuration),
      !(ticks == 0 && movie.isFragmented)
    else { return nil }
    return try? TickGrid(ticksPerSecond: timescale).duration(ofTicks: ticks)
  }

  private static func kind(of track: ISOTrack) -> TrackKind {
    if track.isChapterTrack { return .data }
    if track.isVideo { return .video }
    switch track.handler {
    case "soun": return .audio
    case "text", "sbtl", "subt", "subp", "clcp": return .subtitle
    case "tmcd": return .timecode
    default: return .data
    }
  }
}
