extension MovieParser {
  /// The most samples that are taken to be in what was not read, of all tracks together.
  ///
  /// More than a film of nine hours has frames: what is only claimed must not take much memory.
  private static let mostAssumed: Int64 = 1 << 20

  /// Adds the samples of the fragments that were left out, where it follows from the others what they are: all of
  /// one duration, shown without a gap.
  ///
  /// - Returns: `nil` where that does not follow for each track, or the fragments that were read contradict the
  ///   index.
  mutating func assume(_ tracks: [ISOTrack]) -> [UInt32: ISOAssumedFragments]? {
    guard let walk, !walk.isContradicted, tracks.contains(where: \.isVideo) else { return nil }
    var assumed: [UInt32: ISOAssumedFragments] = [:]
    var count: Int64 = 0
    for track in tracks {
      guard track.isVideo || track.handler == "soun", track.sampleEntries.count == 1,
        !track.isEncrypted, !track.isExternal, track.tables.sizes.count == 0,
        assumed[track.id] == nil, let samples = fragments[track.id],
        let parts = parts(of: track, walk),
        var steps = EvenSamples(samples.table, parts, most: Self.mostAssumed)
      else { return nil }
      var found = ISOAssumedFragments()
      if track.isVideo {
        guard samples.table.syncIndices != nil, let sections = sections(of: track, walk),
          steps.mark(sections.map(\.time))
        else { return nil }
        found.sections = sections
      } else {
        guard samples.table.syncIndices == nil else { return nil }
      }
      count += steps.gaps.reduce(0) { $0 + $1.count }
      guard count <= Self.mostAssumed, count <= samplesLeft else { return nil }
      fragments[track.id] = samples.filled(
        steps, fileEnd: byteCount, isAllSync: !track.isVideo, &found)
      assumed[track.id] = found
    }
    samplesLeft -= count
    return assumed
  }

  /// The samples of a track in each part that was read, all of which say when they begin.
  private func parts(of track: ISOTrack, _ walk: FragmentWalk) -> [Range<Int>]? {
    var parts: [Range<Int>] = []
    for fragment in readFragments where fragment.track == track.id && !fragment.samples.isEmpty {
      let number = walk.part(at: fragment.place)
      if number == parts.count {
        guard fragment.statesTime else { return nil }
        parts.append(fragment.samples)
      } else {
        guard number == parts.count - 1, parts[number].upperBound == fragment.samples.lowerBound
        else { return nil }
        parts[number] = parts[number].lowerBound..<fragment.samples.upperBound
      }
    }
    return parts.count == walk.gaps.count + 1 ? parts : nil
  }

  /// The sync samples that the index names, and where their fragments begin.
  private func sections(
    of track: ISOTrack, _ walk: FragmentWalk
  ) -> [ISOAssumedFragments.Section]? {
    guard let times = syncTimes(of: track, walk), let entries = walk.index.entries[track.id],
      times.count == entries.count
    else { return nil }
    return zip(times, entries).map {
      ISOAssumedFragments.Section(time: $0, place: $1.section.lowerBound)
    }
  }
}

/// Samples at equal distances, of which some parts were read.
private struct EvenSamples {
  /// Those between a part and the next.
  struct Gap {
    /// When the first of them is decoded.
    var start: Int64
    var count: Int64
    /// The sync samples among them, from 0.
    var sync: [Int] = []
  }

  let parts: [Range<Int>]
  let step: Int64
  /// How much later than it is decoded each is shown, in presentation order.
  let offset: Int32
  private(set) var gaps: [Gap] = []
  private let shown: Set<Int64>

  /// - Parameter most: the most samples between a part and the next.
  /// - Returns: `nil` where they are not.
  init?(_ table: ISOSampleTable, _ parts: [Range<Int>], most: Int64) {
    // The first packet of sound may last until the second, which follows later (FFmpeg), and the last may be
    // shorter.
    guard let first = parts.first, first.count > 2, table.descriptions.common == 1 else {
      return nil
    }
    self.parts = parts
    step = table.duration(first.lowerBound + 1)
    guard step > 0 else { return nil }
    var (offset, end): (Int64?, Int64) = (nil, 0)
    var sync: Set<Int64> = []
    for (number, part) in parts.enumerated() {
      let even = number == 0 ? part.dropFirst() : part
      guard let start = even.first.map(table.decodeTime),
        number > 0 || start >= table.decodeTime(part.lowerBound)
      else { return nil }
      var times: [Int64] = []
      for sample in even {
        guard table.decodeTime(sample) == start &+ step * Int64(sample - even.lowerBound),
          table.duration(sample) == step || sample == table.count - 1
        else { return nil }
        times.append(table.presentationTime(sample))
      }
      if number == 0 { times.append(table.presentationTime(part.lowerBound)) }
      times.sort()
      // Reordered pictures take each other's times.
      for (time, sample) in zip(number == 0 ? times[1...] : times[...], even) {
        let found = time &- table.decodeTime(sample)
        guard found == offset ?? found else { return nil }
        offset = found
      }
      for sample in part where table.isSync(sample) { sync.insert(table.presentationTime(sample)) }
      if number > 0 {
        let (length, overflows) = start.subtractingReportingOverflow(end)
        guard !overflows, length >= 0, length % step == 0, length / step <= most else { return nil }
        gaps.append(Gap(start: end, count: length / step))
      }
      end = start &+ step * Int64(even.count)
    }
    guard let offset = offset.flatMap({ Int32(exactly: $0) }) else { return nil }
    self.offset = offset
    shown = sync
  }

  /// Marks the sync samples in what was not read.
  ///
  /// - Parameter times: all that the index names, ascending.
  /// - Returns: false where there is none at a time.
  mutating func mark(_ times: [Int64]) -> Bool {
    var left = shown
    for time in times where left.remove(time) == nil {
      let place = gaps.lastIndex { time &- Int64(offset) >= $0.start }
      guard let place else { return false }
      let ticks = time &- Int64(offset) &- gaps[place].start
      guard ticks % step == 0, ticks / step < gaps[place].count else { return false }
      gaps[place].sync.append(Int(ticks / step))
    }
    return true
  }
}

extension FragmentSamples {
  /// The same with samples in between that were not read.
  fileprivate func filled(
    _ steps: EvenSamples, fileEnd: Int64, isAllSync: Bool, _ assumed: inout ISOAssumedFragments
  ) -> FragmentSamples {
    var filled = self
    filled.table = ISOSampleTable()
    var sync: ContiguousArray<Int> = []
    for (number, part) in steps.parts.enumerated() {
      for sample in part {
        if table.isSync(sample) { sync.append(filled.table.count) }
        filled.table.append(sample, of: table)
      }
      guard number < steps.gaps.count else { break }
      let gap = steps.gaps[number]
      guard gap.count > 0 else { continue }
      let first = filled.table.count
      sync += gap.sync.map { first + $0 }
      assumed.samples.append(first..<first + Int(gap.count))
      filled.table.append(gap, steps, at: fileEnd)
      filled.timing.sampleCount += gap.count
      filled.timing.totalDuration += gap.count * steps.step
    }
    if !isAllSync { filled.table.syncIndices = sync }
    return filled
  }
}

extension ISOSampleTable {
  fileprivate mutating func append(_ sample: Int, of other: ISOSampleTable) {
    decodeTimes.append(other.decodeTimes[sample])
    durations.append(other.durations[sample])
    compositionOffsets.append(other.compositionOffsets[sample])
    sizes.append(other.sizes[sample])
    offsets.append(other.offsets[sample])
    descriptions.append(other.descriptions[sample])
    dependencies.append(other.dependencies[sample])
    count += 1
  }

  fileprivate mutating func append(_ gap: EvenSamples.Gap, _ steps: EvenSamples, at place: Int64) {
    let added = Int(gap.count)
    decodeTimes.append(gap.start, step: steps.step, count: added)
    durations.append(UInt32(clamping: steps.step), step: 0, count: added)
    compositionOffsets.append(steps.offset, step: 0, count: added)
    sizes.append(ISOAssumedFragments.byteCount, step: 0, count: added)
    offsets.append(place, step: 0, count: added)
    descriptions.append(1, step: 0, count: added)
    dependencies.append(0, step: 0, count: added)
    count += added
  }
}
