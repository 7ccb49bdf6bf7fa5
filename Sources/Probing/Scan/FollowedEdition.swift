import ExactTime
import MediaFacts

extension MediaFacts {
  /// Replaces the times of the media by those at which an edition shows it.
  mutating func follow(_ edition: EditionFacts, counting scan: FileScan) {
    self.edition = edition
    for index in tracks.indices {
      tracks[index].follow(edition)
      if tracks[index].kind == .video, let frames = scan[tracks[index].index]?.frames(in: edition) {
        tracks[index].frameCount = frames
      }
    }
    if var presented = durations.presented, let range = edition.whole {
      presented.start = range.start
      presented.length = (try? range.checkedLength()) ?? presented.length
      durations.presented = presented
    }
    // What begins late in the media need not in the edition.
    notes.removeAll { [.startsLate, .startsBeforeZero].contains($0.id) }
    chapters = edition.shownChapters
    let bitRate = container.bitRate
    refreshDurationNotes()
    container.bitRate = bitRate
  }
}

extension TrackFacts {
  fileprivate mutating func follow(_ edition: EditionFacts) {
    keyframes = keyframes.flatMap { keyframe in
      edition.instants(keyframe.time).map { time in
        var moved = keyframe
        (moved.time, moved.frame) = (time, nil)
        return moved
      }
    }.sorted { $0.time < $1.time }
    shownFrames = shownFrames.flatMap { frame -> [ShownFrame] in
      guard let range = try? MediaTimeRange(from: frame.time, length: frame.duration) else {
        return []
      }
      return edition.shown(range).compactMap { part in
        (try? part.shown.checkedLength()).map { ShownFrame(time: part.shown.start, duration: $0) }
      }
    }.filter { $0.duration > .zero }.sorted { $0.time < $1.time }
    let numbers = Dictionary(
      shownFrames.enumerated().map { ($1.time, $0) }, uniquingKeysWith: { first, _ in first })
    for index in keyframes.indices { keyframes[index].frame = numbers[keyframes[index].time] }
    guard var presented = durations.presented, let start = presented.start, let end = presented.end,
      let media = MediaTimeRange(from: start, to: end)
    else { return }
    let parts = edition.shown(media).map(\.shown)
    guard let first = parts.first, let last = parts.last,
      let length = try? last.end.distance(from: first.start)
    else { return }
    (presented.start, presented.length) = (first.start, length)
    durations.presented = presented
  }
}

extension EditionFacts {
  /// From its beginning to its end, on the file's own timeline.
  fileprivate var whole: MediaTimeRange? {
    guard let first = pieces.first, let last = pieces.last,
      let end = try? last.start.advanced(by: last.media.checkedLength())
    else { return nil }
    return MediaTimeRange(from: first.start, to: end)
  }

  /// When an instant of the media is shown.
  fileprivate func instants(_ time: MediaTime) -> [MediaTime] {
    pieces.compactMap { piece in
      guard piece.media.contains(time) else { return nil }
      return try? piece.start.advanced(by: time.distance(from: piece.media.start))
    }
  }

  /// The chapters as they are shown.
  fileprivate var shownChapters: [ChapterFacts] {
    var next = pieces.first?.start
    return chapters.enumerated().compactMap { number, chapter in
      guard let start = next, let end = try? start.advanced(by: chapter.media.checkedLength())
      else {
        return nil
      }
      next = end
      return ChapterFacts(number: number + 1, title: chapter.title, start: start, end: end)
    }
  }
}

extension StreamScan {
  /// How many frames an edition shows: those on screen when a piece begins, and those that begin inside.
  fileprivate func frames(in edition: EditionFacts) -> Int? {
    guard epochs.count == 1, let epoch = epochs.first, let range = presentedRanges().first ?? nil
    else {
      return nil
    }
    let ticks = Array(epoch.pts.sorted().dropFirst(epoch.hiddenCount))
    return edition.pieces.reduce(0) { sum, piece in
      guard let part = piece.media.intersection(range), !part.isEmpty else { return sum }
      func first(_ time: MediaTime) -> Int {
        (0..<ticks.count).partitionPoint { self.time(ticks[$0]).map { $0 >= time } ?? true }
      }
      let begun = first(part.start)
      let isOnFrame = begun < ticks.count && time(ticks[begun]) == part.start
      return sum + first(part.end) - begun + (isOnFrame ? 0 : 1)
    }
  }
}
