extension SampleTables {
  /// How many samples `stts` speaks of.
  var statedDurationCount: Int64 {
    var count: Int64 = 0
    for entry in 0..<timeToSample.count { count += Int64(timeToSample.field(entry)) }
    return count
  }

  /// Calls back for each run of samples of one duration: the first, how many, the duration.
  ///
  /// Where `stts` has too few entries its last duration goes on, as FFmpeg reads it; what it has
  /// too many is left out. So exactly the samples that have a size get a duration.
  func forEachDuration(_ body: (_ first: Int, _ count: Int, _ delta: UInt32) -> Void) {
    let total = sizes.count
    var sample = 0
    var delta: UInt32 = 0
    for entry in 0..<timeToSample.count where sample < total {
      let count = min(Int(timeToSample.field(entry)), total - sample)
      delta = timeToSample.field(entry, 1)
      if count > 0 { body(sample, count, delta) }
      sample += count
    }
    if sample < total { body(sample, total - sample, delta) }
  }

  /// Calls back for each run of samples of one composition offset: how many, the offset.
  ///
  /// Samples that `ctts` does not reach are shown when they are decoded.
  func forEachCompositionOffset(count total: Int, _ body: (_ count: Int, Int32) -> Void) {
    var sample = 0
    for entry in 0..<compositionOffsets.count where sample < total {
      let count = min(Int(compositionOffsets.field(entry)), total - sample)
      if count > 0 { body(count, Int32(bitPattern: compositionOffsets.field(entry, 1))) }
      sample += count
    }
    if sample < total { body(total - sample, 0) }
  }

  /// The samples a table of numbers names, counted from 0, ascending.
  func indices(_ table: EntryTable) -> ContiguousArray<Int> {
    var indices: ContiguousArray<Int> = []
    indices.reserveCapacity(table.count)
    var isAscending = true
    for entry in 0..<table.count {
      let index = Int(table.field(entry)) - 1
      guard index >= 0, index < sizes.count else { continue }
      if let last = indices.last, index <= last { isAscending = false }
      indices.append(index)
    }
    return isAscending ? indices : ContiguousArray(Set(indices).sorted())
  }
}
