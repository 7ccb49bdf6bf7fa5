import ExactTime

/// All samples of a track in decoding order, one column for each property.
///
/// Times are track ticks on the media's own timeline: edits are not applied.
package struct ISOSampleTable: Sendable {
  package internal(set) var count = 0
  /// Decoding time stamps.
  package internal(set) var decodeTimes = SampleColumn<Int64>()
  package internal(set) var durations = SampleColumn<UInt32>()
  /// Presentation minus decoding time.
  ///
  /// Always read as signed: Apple writes negative values in
  /// version 0 of the box too, against ISO 14496-12, 8.6.1.3.
  package internal(set) var compositionOffsets = SampleColumn<Int32>()
  /// Samples at which decoding can start, counted from 0, ascending; `nil` when all are.
  package internal(set) var syncIndices: ContiguousArray<Int>?
  /// Samples of QuickTime's `stps`: entry points with leading pictures (open GOP).
  package internal(set) var partialSyncIndices: ContiguousArray<Int> = []
  /// Those and the members of `rap ` groups (ISO 14496-12, 10.4), ascending.
  package internal(set) var openIndices: ContiguousArray<Int> = []
  /// What each sample says of its dependencies; empty where nothing is said.
  ///
  /// As in `sdtp` (ISO 14496-12, 8.6.4), two bits each from the top: is leading, depends on others,
  /// others depend on it, has redundant coding.
  package internal(set) var dependencies = SampleColumn<UInt8>()

  /// Bytes of each sample; empty unless places were asked for.
  package internal(set) var sizes = SampleColumn<UInt32>()
  /// Where each sample begins in the file, as far as samples have a place.
  package internal(set) var offsets = SampleColumn<Int64>()
  /// Which sample entry describes each, counted from 1, as far as samples have a place.
  package internal(set) var descriptions = SampleColumn<UInt32>()

  /// True where the file states when samples are decoded alone, and their pictures told the rest.
  package private(set) var isOrderedByPictures = false

  package init() {}

  // The columns are generic, which costs other modules a look-up of types for each sample.

  /// How many track ticks a sample lasts.
  package func duration(_ index: Int) -> Int64 { Int64(durations[index]) }

  /// When a sample is decoded, in track ticks on the media's timeline.
  package func decodeTime(_ index: Int) -> Int64 { decodeTimes[index] }

  package func byteCount(_ index: Int) -> Int { Int(sizes[index]) }

  /// What is asked of every sample of a film, at once: when it is shown and decoded and how long it
  /// lasts, in track ticks, and its bytes.
  package func sample(
    _ index: Int
  ) -> (presented: Int64, decoded: Int64, duration: Int64, byteCount: Int) {
    (presentationTime(index), decodeTime(index), duration(index), byteCount(index))
  }

  /// Which sample entry describes a sample, counted from 1.
  package func description(_ index: Int) -> UInt32 { descriptions[index] }

  /// When a sample is shown, in track ticks on the media's timeline.
  package func presentationTime(_ index: Int) -> Int64 {
    decodeTimes[index] &+ Int64(compositionOffsets[index])
  }

  /// By how many ticks, at most, a sample is stated to be shown before it is decoded.
  package var greatestNegativeOffset: Int64 {
    if isOrderedByPictures { return 0 }
    return (0..<compositionOffsets.count).reduce(0) { max($0, -Int64(compositionOffsets[$1])) }
  }

  /// When a sample stops being shown, in track ticks on the media's timeline.
  package func presentationEnd(_ index: Int) -> Int64 {
    presentationTime(index) &+ Int64(durations[index])
  }

  /// Where a sample begins in the file; `nil` when no chunk holds it or places were not asked for.
  package func offset(_ index: Int) -> Int64? { index < offsets.count ? offsets[index] : nil }

  /// True when decoding can start at a sample.
  package func isSync(_ index: Int) -> Bool {
    guard let syncIndices else { return true }
    return syncIndices.holdsSorted(index)
  }

  /// True when players can enter at a sample, be it with leading pictures that they leave out.
  package func isEntry(_ index: Int) -> Bool { isSync(index) || openIndices.holdsSorted(index) }

  /// Shows each sample at the time, and for as long, as another one is decoded.
  ///
  /// - Parameter shown: the samples, in the order in which they are shown.
  /// - Parameter slots: those whose times these take.
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

  /// Takes the mark from all samples but these, where the table marks every one.
  package mutating func mark(_ entries: ContiguousArray<Int>) {
    if syncIndices == nil { syncIndices = entries }
  }

  /// All such samples, ascending; `nil` when all are.
  package var entryIndices: ContiguousArray<Int>? {
    guard let syncIndices, !openIndices.isEmpty else { return syncIndices }
    return ContiguousArray(Set(syncIndices).union(openIndices).sorted())
  }
}

/// Which columns of a table are made.
package enum ISOSampleColumns: Hashable, Sendable {
  /// Times and sync samples: what durations and keyframes need.
  case times
  /// Besides these the sizes, places and descriptions.
  case timesAndPlaces
}

extension ContiguousArray where Element == Int {
  /// True when this ascending array holds a value.
  func holdsSorted(_ value: Int) -> Bool {
    let place = indices.partitionPoint { self[$0] >= value }
    return place < count && self[place] == value
  }
}
