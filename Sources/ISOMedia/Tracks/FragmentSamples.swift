/// The samples of one track's fragments read so far.
struct FragmentSamples: Sendable {
  var table = ISOSampleTable()
  var timing = ISOTrackTiming()
  var placement = ISOTrackPlacement()
  var firstTime: Int64?
  /// The start of the next fragment if it states none: the end of the last one.
  var nextTime: Int64

  init(after time: Int64) { nextTime = time }

  /// Adds a run of identical samples.
  mutating func append(_ sample: Sample, count: Int, at offset: Int64, fileEnd: Int64) -> Int64 {
    table.decodeTimes.append(nextTime, step: Int64(sample.duration), count: count)
    table.durations.append(sample.duration, step: 0, count: count)
    table.compositionOffsets.append(sample.compositionOffset, step: 0, count: count)
    table.sizes.append(sample.size, step: 0, count: count)
    table.offsets.append(offset, step: Int64(sample.size), count: count)
    table.descriptions.append(sample.description, step: 0, count: count)
    table.dependencies.append(sample.dependencies, step: 0, count: count)
    noteSync(sample.isSync, count: count)
    let bytes = Int64(count).clampedProduct(Int64(sample.size))
    let end = offset.clampedSum(bytes)
    if end > fileEnd { addOutside(sample, count: count, at: offset, fileEnd: fileEnd) }
    placement.byteCount = placement.byteCount.clampedSum(bytes)
    noteTimes(sample, count: count)
    table.count += count
    return end
  }

  private mutating func noteTimes(_ sample: Sample, count: Int) {
    let isFirst = table.count == 0
    // Below 2^32 ticks for each of at most 2^30 samples, and starts are below 2^62.
    let length = Int64(count) * Int64(sample.duration)
    nextTime += length
    timing.totalDuration += length
    timing.sampleCount += Int64(count)
    timing.include(compositionOffset: sample.compositionOffset)
    let duration = Int64(sample.duration)
    if isFirst {
      timing.constantDuration = duration
    } else if timing.constantDuration != duration {
      timing.constantDuration = nil
    }
  }

  /// Starts the list of sync samples only at the first non-sync sample.
  private mutating func noteSync(_ isSync: Bool, count: Int) {
    if !isSync, table.syncIndices == nil {
      table.syncIndices = ContiguousArray(0..<table.count)
      timing.isAllSync = false
    }
    guard isSync, table.syncIndices != nil else { return }
    table.syncIndices?.append(contentsOf: table.count..<table.count + count)
  }

  private mutating func addOutside(_ sample: Sample, count: Int, at offset: Int64, fileEnd: Int64) {
    let room = max(0, fileEnd - offset)
    let inside = sample.size > 0 ? min(Int64(count), room / Int64(sample.size)) : 0
    let first = offset.clampedSum(inside.clampedProduct(Int64(sample.size)))
    placement.outsideCount += Int64(count) - inside
    placement.firstOutsideOffset = min(placement.firstOutsideOffset ?? first, first)
  }

  /// The properties of one sample in a run.
  struct Sample {
    var duration: UInt32
    var size: UInt32
    var flags: UInt32
    var compositionOffset: Int32
    var description: UInt32

    /// Neither sample_is_non_sync_sample (bit 16) nor sample_depends_on = 1 (bit 24).
    ///
    /// A sample marked as depending on others is not a sync sample, even where the writer left out
    /// the first flag (ISO 14496-12, 8.8.3.1 and 8.6.4.3); FFmpeg does the same.
    var isSync: Bool { flags & 0x101_0000 == 0 }
    /// Bits 20 to 27, laid out as an entry of `sdtp`.
    var dependencies: UInt8 { UInt8(truncatingIfNeeded: flags >> 20) }
  }
}

extension ISOTrack {
  /// Adds the contents of the fragments to those of `moov`.
  mutating func add(_ added: FragmentSamples, _ log: inout ProblemLog) {
    let hadSamples = timing.sampleCount > 0
    let sameDuration = timing.constantDuration == added.timing.constantDuration
    fragments = added
    firstFragmentTime = added.firstTime
    timing.constantDuration =
      hadSamples && !sameDuration ? nil : added.timing.constantDuration
    timing.sampleCount += added.timing.sampleCount
    timing.totalDuration += added.timing.totalDuration
    timing.isAllSync = (timing.isAllSync || !hadSamples) && added.timing.isAllSync
    if added.timing.statesPresentation { timing.statesPresentation = true }
    if let least = added.timing.leastCompositionOffset { timing.include(compositionOffset: least) }
    if let most = added.timing.greatestCompositionOffset {
      timing.include(compositionOffset: most)
    }
    placement.byteCount = placement.byteCount.clampedSum(added.placement.byteCount)
    placement.outsideCount += added.placement.outsideCount
    placement.unplacedCount += added.placement.unplacedCount
    if let offset = added.placement.firstOutsideOffset {
      placement.firstOutsideOffset = min(placement.firstOutsideOffset ?? offset, offset)
    }
    noteMissingPlaces(&log)
  }
}
