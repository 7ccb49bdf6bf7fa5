/// A sample to be written, as the tables describe it; its bytes are the caller's.
package struct ISOOutputSample: Hashable, Sendable {
  package var byteCount: UInt32
  /// Duration in track ticks.
  package var duration: UInt32
  /// Presentation minus decoding time, in ticks of the track.
  package var compositionOffset: Int32
  /// True when decoding can start here.
  package var isSync: Bool
  /// True for an entry point with leading pictures, in QuickTime's `stps`.
  package var isPartialSync: Bool
  /// Which sample entry of the track describes it, from 1.
  package var description: UInt32
  /// An entry of `sdtp`: two bits each from the top, as ``ISOSampleTable/dependencies``.
  package var dependencies: UInt8

  package init(
    byteCount: UInt32, duration: UInt32, compositionOffset: Int32 = 0, isSync: Bool = true,
    isPartialSync: Bool = false, description: UInt32 = 1, dependencies: UInt8 = 0
  ) {
    self.byteCount = byteCount
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
    self.isPartialSync = isPartialSync
    self.description = description
    self.dependencies = dependencies
  }

  /// Copies a sample of the source; traps outside the table.
  ///
  /// - Parameter table: a table built with ``ISOSampleColumns/timesAndPlaces``.
  package init(_ table: ISOSampleTable, _ index: Int) {
    byteCount = table.sizes[index]
    duration = table.durations[index]
    compositionOffset = table.compositionOffsets[index]
    isSync = table.isSync(index)
    isPartialSync = table.partialSyncIndices.holdsSorted(index)
    description = index < table.descriptions.count ? table.descriptions[index] : 1
    dependencies = index < table.dependencies.count ? table.dependencies[index] : 0
  }
}

/// The samples of a track to be written, in decoding order, one column for each property.
///
/// A property that is the same for all samples takes no memory; a file of half a million pictures takes a few
/// megabytes.
package struct ISOOutputSamples: Sendable {
  package private(set) var count = 0
  /// Whether presentation times are stated even where they equal decoding times: otherwise readers may derive
  /// the order from the pictures.
  package var statesPresentation = false
  package private(set) var sizes = SampleColumn<UInt32>()
  package private(set) var durations = SampleColumn<UInt32>()
  package private(set) var compositionOffsets = SampleColumn<Int32>()
  package private(set) var descriptions = SampleColumn<UInt32>()
  package private(set) var dependencies = SampleColumn<UInt8>()
  /// Samples at which decoding can start, from 0, ascending; `nil` when all are.
  package private(set) var syncIndices: ContiguousArray<Int>?
  package private(set) var partialSyncIndices: ContiguousArray<Int> = []
  /// The sum of all durations, in ticks of the track.
  package private(set) var totalDuration: Int64 = 0
  /// The sum of all sizes.
  package private(set) var byteCount: Int64 = 0
  /// The least presentation time, and the greatest end of a sample's presentation.
  private(set) var presentation: (start: Int64, end: Int64)?

  package init() {}

  /// The tick at which the last sample in presentation order ends; 0 for none.
  package var presentationEnd: Int64 { presentation?.end ?? 0 }

  package mutating func append(_ sample: ISOOutputSample) { append(sample, count: 1) }

  /// Adds a number of identical samples, as in uncompressed audio.
  package mutating func append(_ sample: ISOOutputSample, count added: Int) {
    guard added > 0 else { return }
    sizes.append(sample.byteCount, step: 0, count: added)
    durations.append(sample.duration, step: 0, count: added)
    compositionOffsets.append(sample.compositionOffset, step: 0, count: added)
    descriptions.append(sample.description, step: 0, count: added)
    dependencies.append(sample.dependencies, step: 0, count: added)
    if !sample.isSync, syncIndices == nil { syncIndices = ContiguousArray(0..<count) }
    if sample.isSync, syncIndices != nil { syncIndices?.append(contentsOf: count..<count + added) }
    if sample.isPartialSync { partialSyncIndices.append(contentsOf: count..<count + added) }
    notePresentation(sample, count: added)
    // Both sums are exact for every number of samples that a file can have: the product of two 32-bit numbers
    // has 64 bits, and a layout refuses more than 2^31 samples.
    totalDuration &+= Int64(sample.duration) &* Int64(added)
    byteCount &+= Int64(sample.byteCount) &* Int64(added)
    count += added
  }

  private mutating func notePresentation(_ sample: ISOOutputSample, count added: Int) {
    let first = totalDuration &+ Int64(sample.compositionOffset)
    let end = first &+ Int64(sample.duration) &* Int64(added)
    let known = presentation ?? (first, end)
    presentation = (min(known.start, first), max(known.end, end))
  }

  /// True when decoding can start at a sample.
  package func isSync(_ index: Int) -> Bool {
    guard let syncIndices else { return true }
    return syncIndices.holdsSorted(index)
  }
}
