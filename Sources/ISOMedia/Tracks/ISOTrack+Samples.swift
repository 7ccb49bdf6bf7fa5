extension ISOTrack {
  /// Every sample of the track, of `moov` and of all fragments.
  ///
  /// - Parameters:
  ///   - columns: the columns to build; places cost about as much again as times.
  ///   - limit: the most samples that are expanded, at most ``ISOLimits/samples``.
  /// - Throws: ``ISOError`` when there are more samples than the limit or than the file has bytes.
  package func samples(
    _ columns: ISOSampleColumns = .timesAndPlaces, limit: Int64 = .max
  ) throws(ISOError) -> ISOSampleTable {
    guard !hasImpossibleTable else {
      throw ISOError(
        .sampleTableImpossible,
        "the sample table of track \(id) claims more than a file of \(fileByteCount) bytes can "
          + "contain")
    }
    guard !isExpanded(for: columns) || sampleCount <= min(limit, limits.samples) else {
      throw ISOError(
        .limitExceeded(.samples),
        "track \(id) has \(sampleCount) samples, more than the \(min(limit, limits.samples)) "
          + "that are read")
    }
    var table = ISOSampleTable()
    if tables.sizes.count > 0 {
      table.fillTimes(tables)
      if columns == .timesAndPlaces { table.fillPlaces(tables, placedSizes) }
    }
    guard let fragments else { return table }
    if table.count == 0 { return fragments.table }
    table.append(fragments.table, columns)
    return table
  }

  /// False when the requested columns take no memory, however many samples there are, such as the
  /// times of uncompressed audio.
  private func isExpanded(for columns: ISOSampleColumns) -> Bool {
    columns != .times || fragments != nil || tables.timeToSample.count > 1
      || tables.compositionOffsets.count > 0 || tables.syncSamples != nil
      || tables.partialSyncSamples.count > 0 || tables.dependencies != nil
      || tables.groups.contains { $0.payload.fourCC(4) == "rap " }
  }
}

extension ISOSampleTable {
  fileprivate mutating func fillTimes(_ tables: SampleTables) {
    count = tables.sizes.count
    decodeTimes.expect(count)
    durations.expect(count)
    compositionOffsets.expect(count)
    var time: Int64 = 0
    tables.forEachDuration { _, samples, delta in
      decodeTimes.append(time, step: Int64(delta), count: samples)
      durations.append(delta, step: 0, count: samples)
      time += Int64(samples) * Int64(delta)
    }
    tables.forEachCompositionOffset(count: count) { samples, offset in
      compositionOffsets.append(offset, step: 0, count: samples)
    }
    if let table = tables.syncSamples { syncIndices = tables.indices(table) }
    partialSyncIndices = tables.indices(tables.partialSyncSamples)
    openIndices = partialSyncIndices
    if let group = ISOSampleGroup("rap ", boxes: tables.groups) {
      let members = group.members(below: count)
      openIndices =
        openIndices.isEmpty
        ? members : ContiguousArray(Set(openIndices).union(members).sorted())
    }
    if let view = tables.dependencies {
      dependencies.expect(count)
      for index in 0..<min(count, view.count) { dependencies.append(view.u8(index)) }
      dependencies.append(0, step: 0, count: count - dependencies.count)
    }
  }

  fileprivate mutating func fillPlaces(_ tables: SampleTables, _ placed: PlacedSizes) {
    sizes.expect(count)
    offsets.expect(count)
    let uniform = placed.uniform
    if uniform > 0 {
      sizes.append(uniform, step: 0, count: count)
    } else {
      for index in 0..<count { sizes.append(placed[index]) }
    }
    tables.forEachChunk { chunk in
      descriptions.append(chunk.description, step: 0, count: chunk.sampleCount)
      if uniform > 0 {
        offsets.append(chunk.offset, step: Int64(uniform), count: chunk.sampleCount)
        return
      }
      var offset = chunk.offset
      for index in chunk.firstSample..<chunk.firstSample + chunk.sampleCount {
        offsets.append(offset)
        offset &+= Int64(sizes[index])
      }
    }
  }

  /// Adds the samples of fragments after those of `moov`.
  fileprivate mutating func append(_ other: ISOSampleTable, _ columns: ISOSampleColumns) {
    if syncIndices != nil || other.syncIndices != nil {
      var indices = syncIndices ?? ContiguousArray(0..<count)
      for index in other.syncIndices ?? ContiguousArray(0..<other.count) {
        indices.append(index + count)
      }
      syncIndices = indices
    }
    decodeTimes.append(contentsOf: other.decodeTimes)
    durations.append(contentsOf: other.durations)
    compositionOffsets.append(contentsOf: other.compositionOffsets)
    if dependencies.count == 0 { dependencies.append(0, step: 0, count: count) }
    dependencies.append(contentsOf: other.dependencies)
    if columns == .timesAndPlaces {
      // A fragment's sample keeps its offset only if all samples before it have one.
      if offsets.count == count {
        offsets.append(contentsOf: other.offsets)
        descriptions.append(contentsOf: other.descriptions)
      }
      sizes.append(contentsOf: other.sizes)
    }
    count += other.count
  }
}
