extension ISOTrack {
  /// Adds up the tables of `moov` without expanding them and logs where they disagree.
  mutating func sumUp(_ log: inout ProblemLog) {
    guard tables.hasSizes || tables.timeToSample.count == 0 else {
      log.note(.missingBox, "track \(id) has no sample sizes (“stsz”)")
      return
    }
    let count = Int64(tables.sizes.count)
    let least = placedSizes.packet == nil ? count : placedSizes.bytes(from: 0, count: Int(count))
    guard least <= fileByteCount else {
      hasImpossibleTable = true
      log.note(
        .countImpossible, count: count,
        "track \(id) claims \(count) samples in a file of \(fileByteCount) bytes")
      return
    }
    timing.sampleCount = count
    sumUpTimes(&log)
    sumUpSyncSamples(&log)
    sumUpPlaces(&log)
  }

  private func noteInvalidEntries(_ table: EntryTable, kept: Int, _ log: inout ProblemLog) {
    guard kept < table.count else { return }
    log.note(
      .invalidEntries, at: table.offset, count: Int64(table.count - kept),
      "\(table.count - kept) of the \(table.count) sync samples of track \(id) are listed twice or "
        + "do not exist")
  }

  private mutating func sumUpSyncSamples(_ log: inout ProblemLog) {
    timing.isAllSync = tables.syncSamples == nil
    if let table = tables.syncSamples {
      noteInvalidEntries(table, kept: tables.indices(table).count, &log)
    }
  }

  private mutating func sumUpTimes(_ log: inout ProblemLog) {
    var total: Int64 = 0
    var covered: Int64 = 0
    var deltas: Set<UInt32> = []
    var isInRange = true
    tables.forEachDuration { first, samples, delta in
      let (product, overflow) = Int64(samples).multipliedReportingOverflow(by: Int64(delta))
      let (sum, tooLarge) = total.addingReportingOverflow(product)
      if overflow || tooLarge || sum >= 1 << 62 { isInRange = false } else { total = sum }
      if delta >= 1 << 31 {
        timing.hasHugeDurations = true
        log.note(
          .hugeSampleDuration, at: tables.timeToSample.offset, count: Int64(samples),
          "track \(id): \(samples) samples from number \(first + 1) on last \(delta) ticks each")
      }
      if deltas.count < 2 { deltas.insert(delta) }
      covered += Int64(samples)
    }
    let stated = tables.statedDurationCount
    if stated != timing.sampleCount {
      log.note(
        .countsDisagree, at: tables.timeToSample.offset, count: timing.sampleCount - stated,
        "track \(id) has \(timing.sampleCount) samples and durations for \(stated)")
    }
    guard isInRange else {
      hasImpossibleTable = true
      timing.sampleCount = 0
      log.note(
        .valueOutOfRange, at: tables.timeToSample.offset,
        "the sample durations of track \(id) add up to more than 2^62 ticks")
      return
    }
    timing.totalDuration = total
    timing.constantDuration = deltas.count == 1 ? deltas.first.map(Int64.init) : nil
    timing.statesPresentation = tables.compositionOffsets.count > 0
    tables.forEachCompositionOffset(count: tables.sizes.count) { _, offset in
      timing.include(compositionOffset: offset)
    }
  }

  private mutating func sumUpPlaces(_ log: inout ProblemLog) {
    let sizes = placedSizes
    let end = fileByteCount
    var placement = ISOTrackPlacement()
    let placed = tables.forEachChunk { chunk in
      let bytes = sizes.bytes(from: chunk.firstSample, count: chunk.sampleCount)
      placement.byteCount = placement.byteCount.clampedSum(bytes)
      if chunk.offset.clampedSum(bytes) > end {
        sizes.addOutside(chunk, fileEnd: end, to: &placement)
      }
    }
    placement.unplacedCount = Int64(tables.sizes.count - placed)
    self.placement = placement
    noteMissingPlaces(&log)
  }

  func noteMissingPlaces(_ log: inout ProblemLog) {
    if placement.unplacedCount > 0 {
      log.note(
        .unplacedSamples, count: placement.unplacedCount,
        "\(placement.unplacedCount) of the \(timing.sampleCount) samples of track \(id) have no "
          + "place in the file")
    }
    if placement.outsideCount > 0, !isExternal {
      log.note(
        .samplesOutsideFile, at: placement.firstOutsideOffset, count: placement.outsideCount,
        "\(placement.outsideCount) of the \(timing.sampleCount) samples of track \(id) are not "
          + "in the file, or only in part")
    }
  }
}

extension ISOTrackTiming {
  mutating func include(compositionOffset offset: Int32) {
    leastCompositionOffset = min(leastCompositionOffset ?? offset, offset)
    greatestCompositionOffset = max(greatestCompositionOffset ?? offset, offset)
  }
}

extension Int64 {
  /// A sum of file offsets, clamped to 2^62, which is outside every file.
  func clampedSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? 1 << 62 : Swift.min(sum, 1 << 62)
  }

  func clampedProduct(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? 1 << 62 : Swift.min(product, 1 << 62)
  }
}
