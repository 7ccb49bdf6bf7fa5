import ExactTime

/// The samples of one track in one fragment, among all that were read of the track's fragments.
struct ReadFragment {
  var track: UInt32
  var place: Int64
  var samples: Range<Int>
  /// Whether it states when it begins (`tfdt`).
  var statesTime: Bool
}

extension MovieParser {
  /// What the index says between the fragments at both ends, by track.
  ///
  /// - Returns: `nil` where the fragments that were read contradict it, or do not show when each track ends; or
  ///   where keyframes are needed and it does not name them.
  func ends(_ tracks: [ISOTrack], needsKeyframes: Bool) -> [UInt32: ISOUnreadFragments]? {
    guard let walk, !walk.isContradicted, let behind = walk.gaps.last?.upperBound else {
      return nil
    }
    let index = walk.index
    var ends: [UInt32: ISOUnreadFragments] = [:]
    for track in tracks where fragments[track.id] != nil || index.entries[track.id] != nil {
      // Each sample before it counts for the time of a fragment that states none.
      guard let last = readFragments.first(where: { $0.track == track.id && $0.place >= behind }),
        last.statesTime, !last.samples.isEmpty, last.samples.lowerBound > 0
      else { return nil }
      let times = syncTimes(of: track, walk)
      guard times != nil || !(needsKeyframes && track.isVideo) else { return nil }
      ends[track.id] = ISOUnreadFragments(
        firstBehind: track.tables.sizes.count + last.samples.lowerBound, syncTimes: times)
    }
    return ends
  }

  /// The sync samples that an index names, on the track's own timeline.
  ///
  /// The index may count from where the edit list begins: how far both are apart shows in the last fragments,
  /// and must be the same in all that were read.
  private func syncTimes(of track: ISOTrack, _ walk: FragmentWalk) -> [Int64]? {
    let index = walk.index
    guard let entries = index.entries[track.id], !index.incomplete.contains(track.id),
      index.timescales[track.id] ?? track.timescale == track.timescale,
      let table = fragments[track.id]?.table
    else { return nil }
    let read = readFragments.filter { $0.track == track.id }
    // Behind each of these, something was left out.
    let fronts = walk.gaps.compactMap { gap in read.last { $0.place < gap.lowerBound }?.place }
    var (times, shift): ([Int64], Int64?) = ([], nil)
    for (section, entries) in Dictionary(grouping: entries, by: \.section).sorted(by: {
      $0.key.lowerBound > $1.key.lowerBound
    }) {
      let stated = entries.map(\.time)
      let from = read.indices.partitionPoint { read[$0].place >= section.lowerBound }
      let inside = read[from...].prefix { $0.place < section.upperBound }
      let found = inside.flatMap { fragment in
        fragment.samples.filter(table.isSync).map { table.presentationTime($0) }
      }.sorted()
      // No fragment begins where the index says.
      if inside.isEmpty, walk.holds(section) { return nil }
      // Of a section that only begins in what was read, not all fragments were read.
      if inside.isEmpty
        || found.count < stated.count && fronts.contains(where: { section.contains($0 + 1) })
      {
        guard let shift else { return nil }
        times += stated.map { $0 &+ shift }
        continue
      }
      let named = entries.compactMap { entry -> Int64? in
        guard let number = entry.sample, let first = inside.first?.samples else { return nil }
        return number < first.count ? table.presentationTime(first.lowerBound + number) : nil
      }
      guard found.count == stated.count, named.isEmpty || named.sorted() == found else {
        return nil
      }
      for (time, mark) in zip(found, stated.sorted()) {
        // A sample before the presentation is written as 0.
        let distance = time &- mark
        guard distance == shift ?? distance || mark == 0 && distance < shift ?? distance else {
          return nil
        }
        shift = shift ?? distance
      }
      times += found
    }
    return times.sorted()
  }

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

extension ISOMovie {
  /// Adds what is known of fragments that were not read.
  mutating func add(_ ends: [UInt32: ISOUnreadFragments], of index: FragmentIndex) {
    unreadSectionCount = index.sectionCount
    for place in tracks.indices {
      guard let end = ends[tracks[place].id] else { continue }
      tracks[place].unread = end
      // A fragment states the sum of all durations before it (ISO 14496-12, 8.8.12).
      guard let fragments = tracks[place].fragments else { continue }
      let first = tracks[place].tables.sizes.count > 0 ? 0 : fragments.firstTime ?? 0
      tracks[place].timing.totalDuration = max(0, fragments.nextTime &- first)
    }
  }
}
