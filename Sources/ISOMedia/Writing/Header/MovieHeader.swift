import ExactTime

/// The contents of the boxes before the media: numbers checked, times in the units of their fields.
struct MovieHeader {
  let output: ISOOutputFile
  let ids: [UInt32]
  let timescale: UInt32
  let isTimescaleExact: Bool
  let times: [TrackTimes]

  init(_ output: ISOOutputFile) throws(ISOWriteError) {
    self.output = output
    guard !output.tracks.isEmpty else {
      throw ISOWriteError(.noTracks, "there is no track to write")
    }
    var mediaBytes: Int64 = 0
    for track in output.tracks {
      try Self.check(track)
      mediaBytes = mediaBytes.clampedSum(track.samples.byteCount)
    }
    guard mediaBytes < 1 << 62 else { throw .tooLarge }
    ids = Self.trackIDs(output.tracks)
    var lengths: [Rational] = []
    for track in output.tracks { lengths += try track.statedLengths }
    if let stated = output.movieTimescale, stated > 0 {
      timescale = stated
      isTimescaleExact = lengths.allSatisfy { Int64(stated).isMultiple(of: $0.denominator) }
    } else {
      (timescale, isTimescaleExact) = ISOFileLayout.movieTimescale(
        for: lengths, preferred: output.movie.timescale)
    }
    let grid = TickGrid(ticksPerSecond: Int64(timescale))
    var times: [TrackTimes] = []
    for track in output.tracks { times.append(try TrackTimes(track, movie: grid)) }
    self.times = times
  }

  /// The longest presentation of a track, in movie ticks.
  var duration: UInt64 { times.map(\.presented).max() ?? 0 }

  private static func check(_ track: ISOOutputTrack) throws(ISOWriteError) {
    let name = "track \(track.boxes.id)"
    guard track.boxes.timescale > 0 else {
      throw ISOWriteError(.incompleteTrack, "\(name) has no timescale")
    }
    guard !track.boxes.sampleEntries.isEmpty else {
      throw ISOWriteError(.incompleteTrack, "\(name) has no sample description")
    }
    guard track.samples.count <= Int(Int32.max), track.edits.count <= Int(Int32.max) else {
      throw ISOWriteError(.tooMany, "\(name) has more samples or edits than 31 bits can count")
    }
    let descriptions = 1...UInt32(clamping: track.boxes.sampleEntries.count)
    var unknown: UInt32?
    track.samples.descriptions.forEachRun { description, _ in
      if !descriptions.contains(description) { unknown = description }
    }
    if let unknown {
      throw ISOWriteError(
        .unknownDescription,
        "a sample of \(name) refers to sample description \(unknown), which does not exist")
    }
  }

  /// The track_IDs: the original ones where those are free.
  private static func trackIDs(_ tracks: [ISOOutputTrack]) -> [UInt32] {
    var taken: Set<UInt32> = [0]
    var free = UInt32(1)
    let own = Set(tracks.map(\.boxes.id))
    return tracks.map { track in
      if taken.insert(track.boxes.id).inserted { return track.boxes.id }
      while taken.contains(free) || own.contains(free) { free += 1 }
      taken.insert(free)
      return free
    }
  }
}

extension SampleColumn {
  /// Calls back for each run of samples with the same value.
  func forEachRun(_ body: (_ value: Value, _ count: Int) -> Void) {
    if let common { return body(common, count) }
    var start = 0
    while start < count {
      let value = self[start]
      var end = start + 1
      while end < count, self[end] == value { end += 1 }
      body(value, end - start)
      start = end
    }
  }
}
