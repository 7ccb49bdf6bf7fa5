extension SampleTables {
  /// The number of samples covered by `stts`.
  var statedDurationCount: Int64 {
    var count: Int64 = 0
    for entry in 0..<timeToSample.count { count += Int64(timeToSample.field(entry)) }
    return count
  }

  /// Calls back for each run of samples with the same duration: the first, their number, the
  /// duration.
  ///
  /// Where `stts` is too short, its last duration continues, as in FFmpeg; excess entries are
  /// ignored. So exactly the samples that have a size get a duration.
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

  /// Calls back for each run of samples with the same composition offset: their number, the offset.
  ///
  /// Samples that `ctts` does not cover have an offset of 0.
  func forEachCompositionOffset(count total: Int, _ body: (_ count: Int, Int32) -> Void) {
    var sample = 0
    for entry in 0..<compositionOffsets.count where sample < total {
      let count = min(Int(compositionOffsets.field(entry)), total - sample)
      if count > 0 { body(count, Int32(bitPattern: compositionOffsets.field(entry, 1))) }
      sample += count
    }
    if sample < total { body(total - sample, 0) }
  }

  /// The samples listed in a table of sample numbers, counted from 0, ascending.
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
