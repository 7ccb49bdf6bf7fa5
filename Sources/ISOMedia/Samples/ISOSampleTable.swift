import ExactTime

/// All samples of a track in decoding order, one column for each property.
///
/// Times are track ticks on the media's own timeline: edits are not applied.
package struct ISOSampleTable: Sendable {
  package internal(set) var count = 0
  /// Decoding timestamps.
  package internal(set) var decodeTimes = SampleColumn<Int64>()
  package internal(set) var durations = SampleColumn<UInt32>()
  /// Presentation minus decoding time.
  ///
  /// Always read as signed: Apple writes negative values in version 0 of the box too, in violation
  /// of ISO 14496-12, 8.6.1.3.
  package internal(set) var compositionOffsets = SampleColumn<Int32>()
  /// Samples at which decoding can start, counted from 0, ascending; `nil` when all are.
  package internal(set) var syncIndices: ContiguousArray<Int>?
  /// Samples of QuickTime's `stps`: entry points with leading pictures (open GOP).
  package internal(set) var partialSyncIndices: ContiguousArray<Int> = []
  /// The `stps` samples and the members of `rap ` groups (ISO 14496-12, 10.4), ascending.
  package internal(set) var openIndices: ContiguousArray<Int> = []
  /// The dependency flags of each sample; empty where none are stated.
  ///
  /// As in `sdtp` (ISO 14496-12, 8.6.4), two bits each from the top: is leading, depends on others,
  /// others depend on it, has redundant coding.
  package internal(set) var dependencies = SampleColumn<UInt8>()

  /// Size of each sample in bytes; empty unless places were requested.
  package internal(set) var sizes = SampleColumn<UInt32>()
  /// The file offset of each sample, up to the first without one.
  package internal(set) var offsets = SampleColumn<Int64>()
  /// The number of each sample's entry, from 1, up to the first sample without an offset.
  package internal(set) var descriptions = SampleColumn<UInt32>()

  /// True where the file states only decoding times and the pictures gave the presentation order.
  package private(set) var isOrderedByPictures = false

  package init() {}

  // The columns are generic: used directly, they would cost other modules a type metadata lookup per
  // sample.

  /// The duration of a sample in track ticks.
  package func duration(_ index: Int) -> Int64 { Int64(durations[index]) }

  /// When a sample is decoded, in track ticks on the media's timeline.
  package func decodeTime(_ index: Int) -> Int64 { decodeTimes[index] }

  /// Whether the samples are decoded at equal distances.
  package var decodeTimesAreEven: Bool { decodeTimes.isLinear }

  package func byteCount(_ index: Int) -> Int { Int(sizes[index]) }

  /// A sample's presentation time, decoding time and duration in track ticks, and its size in
  /// bytes, in one call.
  package func sample(
    _ index: Int
  ) -> (presented: Int64, decoded: Int64, duration: Int64, byteCount: Int) {
    (presentationTime(index), decodeTime(index), duration(index), byteCount(index))
  }

  /// The number of a sample's entry, from 1.
  package func description(_ index: Int) -> UInt32 { descriptions[index] }

  /// When a sample is shown, in track ticks on the media's timeline.
  package func presentationTime(_ index: Int) -> Int64 {
    decodeTimes[index] &+ Int64(compositionOffsets[index])
  }

  /// The most ticks by which a sample's stated presentation precedes its decoding.
  package var greatestNegativeOffset: Int64 {
    if isOrderedByPictures { return 0 }
    return (0..<compositionOffsets.count).reduce(0) { max($0, -Int64(compositionOffsets[$1])) }
  }

  /// When a sample stops being shown, in track ticks on the media's timeline.
  package func presentationEnd(_ index: Int) -> Int64 {
    presentationTime(index) &+ Int64(durations[index])
  }

  /// Where a sample begins in the file; `nil` when it is in no chunk or places were not requested.
  package func offset(_ index: Int) -> Int64? { index < offsets.count ? offsets[index] : nil }

  /// True when decoding can start at a sample.
  package func isSync(_ index: Int) -> Bool {
    guard let syncIndices else { return true }
    return syncIndices.holdsSorted(index)
  }

  /// True when players can start at a sample, possibly skipping its leading pictures.
  package func isEntry(_ index: Int) -> Bool { isSync(index) || openIndices.holdsSorted(index) }

  /// Sets presentation times: each sample is shown at the decoding time, and for the duration, of
  /// another one.
  ///
  /// - Parameter shown: the samples, in presentation order.
  /// - Parameter slots: the samples whose times and durations they take, one each.
  package mutating func show(_ shown: [Int], in slots: [Int]) {
    var offsets = (0..<count).map { compositionOffsets[$0] }
    var lengths = (0..<count).map { durations[$0] }
    for (sample, slot) in zip(shown, slots) {
      guard let offset = Int32(exactly: decodeTimes[slot] &- decodeTimes[sample]) else { return }
      offsets[sample] = offset
      lengths[sample] = durations[slot]
    }
    (compositionOffsets, durations) = (SampleColumn(offsets), SampleColumn(lengths))
    isOrderedByPictures = true
  }

  /// Replaces the presentation times of single samples, in track ticks.
  ///
  /// - Returns: false where one is too far from its decoding time; nothing changes then.
  package mutating func show(_ times: [(sample: Int, at: Int64)]) -> Bool {
    var offsets = (0..<count).map { compositionOffsets[$0] }
    for (sample, time) in times {
      guard offsets.indices.contains(sample),
        let offset = Int32(exactly: time &- decodeTimes[sample])
      else { return false }
      offsets[sample] = offset
    }
    compositionOffsets = SampleColumn(offsets)
    return true
  }

  /// Makes only these samples sync samples, where the table marks all of them.
  package mutating func mark(_ entries: ContiguousArray<Int>) {
    if syncIndices == nil { syncIndices = entries }
  }

  /// All samples at which players can start, ascending; `nil` when all are.
  package var entryIndices: ContiguousArray<Int>? {
    guard let syncIndices, !openIndices.isEmpty else { return syncIndices }
    return ContiguousArray(Set(syncIndices).union(openIndices).sorted())
  }
}

/// The columns of a table to build.
package enum ISOSampleColumns: Hashable, Sendable {
  /// Times and sync samples: what durations and keyframes need.
  case times
  /// Those, and sizes, offsets and descriptions.
  case timesAndPlaces
}

extension ContiguousArray where Element == Int {
  /// True when this ascending array contains a value.
  func holdsSorted(_ value: Int) -> Bool {
    let place = indices.partitionPoint { self[$0] >= value }
    return place < count && self[place] == value
  }
}
