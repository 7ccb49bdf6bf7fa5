/// Reads `moov` and the fragments into an ``ISOMovie``.
struct MovieParser {
  let byteCount: Int64
  let limits: ISOLimits
  var matrix = DisplayMatrix.identity
  /// Defaults of `trex`, by track.
  var fragmentDefaults: [UInt32: FragmentDefaults] = [:]
  var fragments: [UInt32: FragmentSamples] = [:]
  var samplesLeft: Int64
  /// What was left out; `nil` where nothing was.
  var walk: FragmentWalk?
  /// What was read of each fragment of a track, where some were left out.
  var readFragments: [ReadFragment] = []

  init(byteCount: Int64, limits: ISOLimits) {
    self.byteCount = byteCount
    self.limits = limits
    samplesLeft = limits.samples
  }

  mutating func read(
    _ moov: Box, into movie: inout ISOMovie, _ log: inout ProblemLog
  ) throws(ISOError) {
    var tracks: [Box] = []
    try log.forEachBox(in: moov.children(), of: "moov") { (log, box) throws(ISOError) in
      switch box.type {
      case "mvhd": readHeader(box, into: &movie, &log)
      case "mvex": readExtends(box, into: &movie, &log)
      case "trak":
        guard tracks.count < limits.tracks else {
          throw ISOError(
            .limitExceeded(.tracks), at: box.offset,
            "the file has more than \(limits.tracks) tracks")
        }
        tracks.append(box)
      case "udta", "meta": movie.readMetadata(box, limits, &log)
      case "pssh": movie.readProtectionSystem(box)
      case "cmov":
        log.note(
          .compressedHeader, at: box.offset,
          "the header is compressed (“cmov”) and cannot be decompressed")
      default: break
      }
    }
    movie.tags.addCreationTime(movie.creationTime)
    if movie.timescale == nil {
      log.note(.zeroTimescale, at: moov.offset, "the movie has no timescale (“mvhd”)")
    }
    for box in tracks {
      var parser = TrackParser(limits: limits, byteCount: byteCount, movieMatrix: matrix)
      try parser.read(box, &log)
      movie.tracks.append(parser.track)
    }
    log.trackID = nil
    movie.markReferencedTracks()
  }

  private mutating func readHeader(
    _ box: Box, into movie: inout ISOMovie, _ log: inout ProblemLog
  ) {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    let created = fields.u32or64(version: version)
    _ = fields.u32or64(version: version)
    let timescale = Int64(fields.u32())
    let raw = fields.u32or64(version: version)
    guard !fields.isShort else {
      log.note(.malformedBox, at: box.offset, "“mvhd” is too short for its fields")
      return
    }
    movie.timescale = timescale > 0 ? timescale : nil
    movie.creationTime = MacintoshTime.unixSeconds(created)
    movie.duration = log.duration(raw, version: version, of: box)
    fields.skip(16)
    let matrix = DisplayMatrix(&fields)
    if !fields.isShort { self.matrix = matrix }
  }

  private mutating func readExtends(
    _ box: Box, into movie: inout ISOMovie, _ log: inout ProblemLog
  ) {
    movie.isFragmented = true
    for child in box.children() {
      var fields = child.fields
      let version = fields.fullBoxHeader().version
      if child.type == "mehd" {
        let raw = fields.u32or64(version: version)
        if !fields.isShort {
          movie.fragmentDuration = log.duration(raw, version: version, of: child)
        }
      } else if child.type == "trex", fragmentDefaults.count < limits.tracks {
        let id = fields.u32()
        fragmentDefaults[id] = FragmentDefaults(&fields)
      }
    }
  }

  /// Adds the contents of the fragments to the tracks.
  mutating func finish(_ movie: inout ISOMovie, _ log: inout ProblemLog) throws(ISOError) {
    for index in movie.tracks.indices {
      let id = movie.tracks[index].id
      log.trackID = id
      guard let fragments = fragments.removeValue(forKey: id) else { continue }
      movie.tracks[index].add(fragments, &log)
    }
    for index in movie.tracks.indices {
      log.trackID = movie.tracks[index].id
      movie.tracks[index].settleTimescale(in: movie, &log)
    }
    log.trackID = nil
  }
}

extension ProblemLog {
  /// A duration in a header; `nil` for 0, for all ones, which means "unknown", and beyond 63 bits.
  mutating func duration(_ raw: UInt64, version: UInt8, of box: Box) -> Int64? {
    let unknown = version == 0 ? UInt64(UInt32.max) : .max
    guard raw != 0, raw != unknown else { return nil }
    guard let duration = Int64(exactly: raw) else {
      note(
        .impossibleDuration, at: box.offset,
        "“\(box.type)” states a duration of \(raw) ticks, which does not fit in 63 bits")
      return nil
    }
    return duration
  }
}

extension ISOMovie {
  mutating func markReferencedTracks() {
    let chapters = Set(tracks.flatMap { $0.references["chap"] ?? [] })
    for index in tracks.indices where chapters.contains(tracks[index].id) {
      tracks[index].isChapterTrack = true
    }
  }
}
