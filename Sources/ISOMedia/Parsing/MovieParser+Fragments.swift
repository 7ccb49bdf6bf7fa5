extension MovieParser {
  /// Reads one `moof` box (ISO 14496-12, 8.8.4).
  mutating func readFragment(
    _ moof: Box, into movie: ISOMovie, _ log: inout ProblemLog
  ) throws(ISOError) {
    /// Where the data of the track fragment before this one ended.
    var dataEnd: Int64?
    try log.forEachBox(in: moof.children(), of: "moof") { (log, box) throws(ISOError) in
      guard box.type == "traf" else { return }
      try readTrackFragment(box, moof: moof, movie, dataEnd: &dataEnd, &log)
    }
    log.trackID = nil
  }

  private mutating func readTrackFragment(
    _ traf: Box, moof: Box, _ movie: ISOMovie, dataEnd: inout Int64?, _ log: inout ProblemLog
  ) throws(ISOError) {
    let boxes = traf.children()
    guard let headerBox = boxes.first(where: { $0.type == "tfhd" }),
      let header = TrackFragmentHeader(headerBox, defaults: fragmentDefaults)
    else {
      log.note(.missingBox, at: traf.offset, "a track fragment has no valid “tfhd”")
      return
    }
    log.trackID = header.trackID
    guard let track = movie.tracks.first(where: { $0.id == header.trackID }) else {
      log.note(
        .unknownTrack, at: traf.offset,
        "a fragment refers to track \(header.trackID), which is not in “moov”")
      return
    }
    // Removed while it grows, so that its columns are not copied.
    var samples =
      fragments.removeValue(forKey: header.trackID)
      ?? FragmentSamples(after: track.timing.totalDuration)
    let first = samples.table.count
    var statesTime = false
    defer {
      if walk != nil {
        readFragments.append(
          ReadFragment(
            track: header.trackID, place: moof.offset, samples: first..<samples.table.count,
            statesTime: statesTime))
      }
      fragments[header.trackID] = samples
    }
    if let time = boxes.first(where: { $0.type == "tfdt" }) {
      statesTime = samples.start(at: time, &log)
    }
    if header.isDurationEmpty { samples.nextTime += Int64(header.defaults.duration) }
    let base =
      header.baseOffset ?? (header.countsFromFragment ? moof.offset : dataEnd ?? moof.offset)
    var offset = base
    try log.forEachBox(in: boxes, of: "traf") { (log, box) throws(ISOError) in
      guard box.type == "trun" else { return }
      offset = try readRun(box, header, base: base, next: offset, &samples, &log)
    }
    dataEnd = offset
  }

  private mutating func readRun(
    _ trun: Box, _ header: TrackFragmentHeader, base: Int64, next: Int64,
    _ samples: inout FragmentSamples, _ log: inout ProblemLog
  ) throws(ISOError) -> Int64 {
    var run = TrackRun(trun, defaults: header.defaults)
    var offset = run.dataOffset.map { base + $0 } ?? next
    if offset < 0 {
      log.note(.valueOutOfRange, at: trun.offset, "a run of samples begins before the file")
      offset = 1 << 62
    }
    let count = try claim(&run, of: trun, &samples, &log)
    if run.statesOffsets { samples.timing.statesPresentation = true }
    if run.isUniform {
      let first = run.sample(0)
      if count > 0 {
        offset = samples.append(first, count: 1, at: offset, fileEnd: byteCount)
      }
      if count > 1 {
        offset = samples.append(run.sample(1), count: count - 1, at: offset, fileEnd: byteCount)
      }
    } else {
      for index in 0..<count {
        offset = samples.append(run.sample(index), count: 1, at: offset, fileEnd: byteCount)
      }
    }
    return offset
  }

  /// How many samples of a run are accepted: never more than the file has bytes.
  private mutating func claim(
    _ run: inout TrackRun, of trun: Box, _ samples: inout FragmentSamples,
    _ log: inout ProblemLog
  ) throws(ISOError) -> Int {
    let held = run.isUniform ? run.claimedCount : log.held(run.claimedCount, of: run.room, in: trun)
    samples.placement.unplacedCount += Int64(run.claimedCount - held)
    guard Int64(held) + samples.timing.sampleCount <= byteCount else {
      log.note(
        .countImpossible, at: trun.offset, count: Int64(held),
        "a run claims \(held) samples in a file of \(byteCount) bytes")
      samples.placement.unplacedCount += Int64(held)
      return 0
    }
    samplesLeft -= Int64(held)
    guard samplesLeft >= 0 else {
      throw ISOError(
        .limitExceeded(.samples), at: trun.offset,
        "the fragments contain more than \(limits.samples) samples")
    }
    return held
  }
}

extension FragmentSamples {
  /// Reads the start time from `tfdt` (ISO 14496-12, 8.8.12); false where it states none.
  fileprivate mutating func start(at box: Box, _ log: inout ProblemLog) -> Bool {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    let time = fields.u32or64(version: version)
    guard !fields.isShort else { return false }
    guard time < 1 << 62 else {
      log.note(
        .valueOutOfRange, at: box.offset, "a fragment starts at tick \(time), beyond 2^62")
      return false
    }
    nextTime = Int64(time)
    if firstTime == nil, table.count == 0 { firstTime = nextTime }
    return true
  }
}

/// A `trun` box (ISO 14496-12, 8.8.8).
struct TrackRun {
  let claimedCount: Int
  let dataOffset: Int64?
  private let firstFlags: UInt32?
  private let defaults: FragmentDefaults
  private let flags: UInt32
  private let entries: ByteView
  private let entryBytes: Int

  init(_ box: Box, defaults: FragmentDefaults) {
    var fields = box.fields
    flags = fields.fullBoxHeader().flags
    claimedCount = Int(fields.u32())
    dataOffset = flags & 0x1 != 0 ? Int64(fields.i32()) : nil
    firstFlags = flags & 0x4 != 0 ? fields.u32() : nil
    self.defaults = defaults
    entries = fields.rest
    entryBytes = (flags & 0xF00).nonzeroBitCount * 4
  }

  /// True when all samples after the first have the same properties.
  var isUniform: Bool { entryBytes == 0 }

  /// True when it has composition time offsets.
  var statesOffsets: Bool { flags & 0x800 != 0 }

  /// How many entries fit in the box.
  var room: Int { entryBytes > 0 ? entries.count / entryBytes : 0 }

  func sample(_ index: Int) -> FragmentSamples.Sample {
    var place = index * entryBytes
    func next() -> UInt32 {
      defer { place += 4 }
      return entries.u32(place)
    }
    let duration = flags & 0x100 != 0 ? next() : defaults.duration
    let size = flags & 0x200 != 0 ? next() : defaults.size
    var sampleFlags = flags & 0x400 != 0 ? next() : defaults.flags
    if index == 0, let firstFlags { sampleFlags = firstFlags }
    let offset = statesOffsets ? Int32(bitPattern: next()) : 0
    return FragmentSamples.Sample(
      duration: duration, size: size, flags: sampleFlags, compositionOffset: offset,
      description: defaults.description)
  }
}
