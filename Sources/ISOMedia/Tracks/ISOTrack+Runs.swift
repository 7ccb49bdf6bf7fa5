extension ISOTrack {
  /// The samples of uncompressed audio, with contiguous ones merged: an hour of it has hundreds of millions,
  /// each one tick long.
  ///
  /// Those wholly or partly outside the file are never merged with those inside.
  ///
  /// - Parameter most: the most samples that are merged into one.
  /// - Returns: `nil` where samples differ in size, are not one tick long, or are in fragments.
  package func runsOfSamples(most: Int) -> ISOSampleTable? {
    let size = placedSizes.uniform
    guard size > 0, timing.constantDuration == 1, fragments == nil, most > 0, !hasImpossibleTable,
      tables.compositionOffsets.count == 0, tables.syncSamples == nil
    else { return nil }
    var table = ISOSampleTable()
    tables.forEachChunk { chunk in
      let room = max(0, fileByteCount - chunk.offset) / Int64(size)
      let inside = Int(min(room, Int64(chunk.sampleCount)))
      var done = 0
      while done < chunk.sampleCount {
        let end = done < inside ? inside : chunk.sampleCount
        let count = min(most, end - done)
        table.append(
          run: count, from: chunk.firstSample + done,
          at: chunk.offset.clampedSum(Int64(done).clampedProduct(Int64(size))),
          bytes: UInt32(clamping: Int64(count).clampedProduct(Int64(size))),
          description: chunk.description)
        done += count
      }
    }
    return table
  }

  /// Compressed audio of old QuickTime as a table of its packets, where the tables count decoded samples;
  /// `nil` otherwise, or where the tables give single samples other properties.
  package func packetsOfSamples() -> ISOSampleTable? {
    guard let packet = placedSizes.packet, timing.constantDuration == 1, fragments == nil,
      !hasImpossibleTable, tables.compositionOffsets.count == 0, tables.syncSamples == nil,
      sampleCount / packet.samples <= limits.samples
    else { return nil }
    let size = UInt32(clamping: packet.bytes)
    var table = ISOSampleTable()
    tables.forEachChunk { chunk in
      var done = 0
      while done < chunk.sampleCount {
        let count = min(Int(packet.samples), chunk.sampleCount - done)
        table.append(
          run: count, from: chunk.firstSample + done,
          at: chunk.offset.clampedSum((Int64(done) / packet.samples).clampedProduct(packet.bytes)),
          bytes: size, description: chunk.description)
        done += count
      }
    }
    return table
  }
}

extension ISOSampleTable {
  fileprivate mutating func append(
    run count: Int, from first: Int, at offset: Int64, bytes: UInt32, description: UInt32
  ) {
    decodeTimes.append(Int64(first))
    durations.append(UInt32(clamping: count))
    compositionOffsets.append(0)
    sizes.append(bytes)
    offsets.append(offset)
    descriptions.append(description)
    self.count += 1
  }
}
