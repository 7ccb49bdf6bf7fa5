extension SampleTables {
  /// A run of contiguous samples (ISO 14496-12, 8.7.4).
  struct Chunk {
    var offset: Int64
    var firstSample: Int
    var sampleCount: Int
    var description: UInt32
  }

  /// Calls back for each chunk in order; stops at the last sample.
  ///
  /// - Returns: how many samples are in a chunk.
  @discardableResult
  func forEachChunk(_ body: (Chunk) -> Void) -> Int {
    let total = sizes.count
    let chunkCount = chunkOffsets.count
    var sample = 0
    var chunk = 0
    for entry in 0..<samplesPerChunk.count {
      // Entries state the first chunk they apply to; one that goes backwards is skipped.
      let first = Int(samplesPerChunk.field(entry)) - 1
      guard first >= chunk else { continue }
      chunk = first
      let isLast = entry + 1 == samplesPerChunk.count
      let next = isLast ? chunkCount : Int(samplesPerChunk.field(entry + 1)) - 1
      let perChunk = Int(samplesPerChunk.field(entry, 1))
      let description = samplesPerChunk.field(entry, 2)
      guard perChunk > 0 else { continue }
      while chunk < min(next, chunkCount), sample < total {
        let count = min(perChunk, total - sample)
        body(
          Chunk(
            offset: chunkOffsets.offset(chunk), firstSample: sample, sampleCount: count,
            description: description))
        sample += count
        chunk += 1
      }
    }
    return sample
  }
}
