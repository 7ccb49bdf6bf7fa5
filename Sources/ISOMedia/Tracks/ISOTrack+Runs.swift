extension ISOTrack {
  /// The samples of uncompressed sound, as many as lie one after the other in the file taken as one:
  /// an hour of it has hundreds of millions, each of a tick.
  ///
  /// Those that lie outside the file, or partly, are never in one with those inside.
  ///
  /// - Parameter most: The most samples that are taken as one.
  /// - Returns: `nil` where samples differ in size, do not last a tick each, or lie in fragments.
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
          at: chunk.offset.clampedSum(Int64(done).clampedProduct(Int64(size))), size: size,
          description: chunk.description)
        done += count
      }
    }
    return table
  }
}

extension ISOSampleTable {
  fileprivate mutating func append(
    run count: Int, from first: Int, at offset: Int64, size: UInt32, description: UInt32
  ) {
    decodeTimes.append(Int64(first))
    durations.append(UInt32(clamping: count))
    compositionOffsets.append(0)
    sizes.append(UInt32(clamping: Int64(count).clampedProduct(Int64(size))))
    offsets.append(offset)
    descriptions.append(description)
    self.count += 1
  }
}
