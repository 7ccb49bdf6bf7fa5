/// Writes the `stbl` box of one track.
struct SampleTableWriter {
  let track: ISOOutputTrack
  let index: Int

  private var samples: ISOOutputSamples { track.samples }

  func write(
    _ writer: inout BoxWriter, _ tables: MovieHeader.Tables,
    _ offsets: inout [MovieHeader.OffsetTable]
  ) {
    writer.box("stbl") { writer in
      writeDescriptions(&writer)
      switch tables {
      case .fragmented:
        for type: FourCC in ["stts", "stsc", "stco"] { writer.fullBox(type) { $0.u32(0) } }
        writer.fullBox("stsz") { $0.u64(0) }
        writer.groupDescriptions(track.groups)
      case .chunks(let chunks, let is64Bit):
        writeTimes(&writer)
        writeSync(&writer)
        writeChunks(&writer, chunks[index])
        writeSizes(&writer)
        offsets.append(writer.chunkOffsets(chunks[index], is64Bit: is64Bit, track: index))
        writer.groupDescriptions(track.groups)
        for group in track.groups where group.isUsed {
          writer.groupMap(group, of: 0..<samples.count)
        }
      }
    }
  }

  private func writeDescriptions(_ writer: inout BoxWriter) {
    writer.fullBox("stsd", version: track.boxes.descriptionVersion) {
      $0.u32(UInt32(track.boxes.sampleEntries.count))
      for entry in track.boxes.sampleEntries { $0.raw(entry.bytes) }
    }
  }

  private func writeTimes(_ writer: inout BoxWriter) {
    writer.runs("stts") { runs in
      samples.durations.forEachRun { runs.append($0, count: $1) }
    }
    let offsets = samples.compositionOffsets
    guard samples.count > 0, samples.statesPresentation || offsets.common != 0 else { return }
    var least = Int32.max
    var greatest = Int32.min
    offsets.forEachRun { offset, _ in
      least = min(least, offset)
      greatest = max(greatest, offset)
    }
    writer.runs("ctts", version: least < 0 ? 1 : 0) { runs in
      offsets.forEachRun { runs.append(UInt32(bitPattern: $0), count: $1) }
    }
    if least < 0 { writeCompositionShift(&writer, least: least, greatest: greatest) }
  }

  /// How composition and decoding times relate (ISO 14496-12, 8.6.1.4).
  private func writeCompositionShift(_ writer: inout BoxWriter, least: Int32, greatest: Int32) {
    guard let (start, end) = samples.presentation else { return }
    let values = [-Int64(least), Int64(least), Int64(greatest), start, end]
    let version: UInt8 = values.allSatisfy { Int32(exactly: $0) != nil } ? 0 : 1
    writer.fullBox("cslg", version: version) {
      for value in values { $0.u32or64(UInt64(bitPattern: value), version: version) }
    }
  }

  private func writeSync(_ writer: inout BoxWriter) {
    if let indices = samples.syncIndices { writer.numbers("stss", indices) }
    if !samples.partialSyncIndices.isEmpty { writer.numbers("stps", samples.partialSyncIndices) }
    guard samples.count > 0, samples.dependencies.common != 0 else { return }
    writer.fullBox("sdtp") {
      for index in 0..<samples.count { $0.u8(samples.dependencies[index]) }
    }
  }

  /// Writes runs of chunks with the same number of samples and the same description.
  private func writeChunks(_ writer: inout BoxWriter, _ chunks: [ISOOutputChunk]) {
    writer.counted("stsc") { writer in
      var entries: UInt32 = 0
      var last: (samples: Int, description: UInt32)?
      for (number, chunk) in chunks.enumerated() {
        let run = (chunk.sampleCount, samples.descriptions[chunk.firstSample])
        if let last, last == run { continue }
        writer.u32(UInt32(truncatingIfNeeded: number + 1))
        writer.u32(UInt32(truncatingIfNeeded: run.0))
        writer.u32(run.1)
        entries += 1
        last = run
      }
      return entries
    }
  }

  private func writeSizes(_ writer: inout BoxWriter) {
    writer.fullBox("stsz") {
      // A uniform size of 0 would mean that a table follows.
      let uniform = samples.sizes.common ?? 0
      $0.u32(uniform)
      $0.u32(UInt32(samples.count))
      guard uniform == 0 else { return }
      $0.reserve(4 * samples.count)
      for index in 0..<samples.count { $0.u32(samples.sizes[index]) }
    }
  }
}

extension BoxWriter {
  /// Writes a full box that begins with the number of its entries.
  fileprivate mutating func counted(
    _ type: FourCC, version: UInt8 = 0, _ content: (inout BoxWriter) -> UInt32
  ) {
    fullBox(type, version: version) {
      let position = $0.count
      $0.u32(0)
      let count = content(&$0)
      $0.overwrite(count, at: position)
    }
  }

  /// Entries of `stts` and `ctts`: a count and a value.
  fileprivate struct Runs {
    var writer: BoxWriter
    var entries: UInt32 = 0

    mutating func append(_ value: UInt32, count: Int) {
      writer.u32(UInt32(truncatingIfNeeded: count))
      writer.u32(value)
      entries += 1
    }
  }

  fileprivate mutating func runs(
    _ type: FourCC, version: UInt8 = 0, _ content: (inout Runs) -> Void
  ) {
    var runs = Runs(writer: BoxWriter())
    content(&runs)
    counted(type, version: version) {
      $0.raw(runs.writer.bytes)
      return runs.entries
    }
  }

  /// Writes sample numbers, from 1.
  fileprivate mutating func numbers(_ type: FourCC, _ indices: ContiguousArray<Int>) {
    counted(type) {
      for index in indices { $0.u32(UInt32(truncatingIfNeeded: index + 1)) }
      return UInt32(truncatingIfNeeded: indices.count)
    }
  }

  fileprivate mutating func chunkOffsets(
    _ chunks: [ISOOutputChunk], is64Bit: Bool, track: Int
  ) -> MovieHeader.OffsetTable {
    var position = 0
    counted(is64Bit ? "co64" : "stco") {
      position = $0.count
      $0.zeros(chunks.count * (is64Bit ? 8 : 4))
      return UInt32(truncatingIfNeeded: chunks.count)
    }
    return MovieHeader.OffsetTable(track: track, position: position)
  }

  /// Writes the descriptions of the groups in use; maps of the same type share them.
  fileprivate mutating func groupDescriptions(_ groups: [ISOOutputGroup]) {
    var written: Set<FourCC> = []
    for group in groups where group.isUsed && written.insert(group.source.type).inserted {
      boxes([group.source.descriptions])
    }
  }

  /// Writes `sbgp` for a part of the samples.
  mutating func groupMap(_ group: ISOOutputGroup, of samples: Range<Int>) {
    let runs = group.runs(of: samples)
    fullBox("sbgp", version: group.source.parameter == nil ? 0 : 1) {
      $0.fourCC(group.source.type)
      if let parameter = group.source.parameter { $0.u32(parameter) }
      $0.u32(UInt32(truncatingIfNeeded: runs.count))
      for run in runs {
        $0.u32(UInt32(truncatingIfNeeded: run.count))
        $0.u32(run.description)
      }
    }
  }
}
