/// Samples at equal distances, of which some parts were read.
struct EvenSamples {
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
  func filled(
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
