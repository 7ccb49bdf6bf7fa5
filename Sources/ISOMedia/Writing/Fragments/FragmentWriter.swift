/// Writes one `moof` and the header of its `mdat`.
struct FragmentWriter {
  let tracks: [ISOOutputTrack]
  let ids: [UInt32]
  let fragment: ISOFragment
  /// The fragment's sequence number, from 1.
  let number: Int

  /// The header; offsets count from the first byte of `moof`, so that it can be anywhere in the
  /// file.
  var bytes: [UInt8] {
    get throws(ISOWriteError) {
      var writer = BoxWriter()
      var places: [(position: Int, offset: Int64)] = []
      writer.box("moof") { writer in
        writer.fullBox("mfhd") { $0.u32(UInt32(truncatingIfNeeded: number)) }
        var offset: Int64 = 0
        for track in tracks.indices { write(track, &writer, &offset, &places) }
      }
      let header = fragment.mediaByteCount + 8 > Int64(UInt32.max) ? 16 : 8
      for place in places {
        guard let offset = Int32(exactly: Int64(writer.count + header) + place.offset) else {
          throw ISOWriteError(.tooLarge, "fragment \(number) would be larger than 2 GiB")
        }
        writer.overwrite(UInt32(bitPattern: offset), at: place.position)
      }
      writer.mediaHeader(bytes: fragment.mediaByteCount)
      return writer.bytes
    }
  }

  /// One `traf` for each run of samples with one description.
  private func write(
    _ index: Int, _ writer: inout BoxWriter, _ offset: inout Int64,
    _ places: inout [(position: Int, offset: Int64)]
  ) {
    let track = tracks[index]
    let samples = track.samples
    var time = fragment.decodeTimes[index]
    var rest = fragment.samples[index]
    while let first = rest.first {
      let description = samples.descriptions[first]
      let end = rest.first { samples.descriptions[$0] != description } ?? rest.upperBound
      let run = TrackRunWriter(samples: samples, range: first..<end)
      writer.box("traf") { writer in
        run.writeHeader(&writer, id: ids[index], description: description)
        writer.fullBox("tfdt", version: 1) { $0.i64(time) }
        places.append((run.write(&writer), offset))
        for group in track.groups where group.isUsed { writer.groupMap(group, of: first..<end) }
      }
      for sample in first..<end {
        time += Int64(samples.durations[sample])
        offset += Int64(samples.sizes[sample])
      }
      rest = end..<rest.upperBound
    }
  }
}

/// The `tfhd` and `trun` boxes of samples with the same description; common values are stated once.
struct TrackRunWriter {
  let samples: ISOOutputSamples
  let range: Range<Int>
  private let duration: UInt32?
  private let size: UInt32?
  private let flags: UInt32?
  /// The flags of all samples but the first, where those are equal.
  private let laterFlags: UInt32?
  private let hasOffsets: Bool

  init(samples: ISOOutputSamples, range: Range<Int>) {
    self.samples = samples
    self.range = range
    duration = range.common { samples.durations[$0] }
    size = range.common { samples.sizes[$0] }
    let flags = range.common { samples.fragmentFlags($0) }
    laterFlags = flags == nil ? range.dropFirst().common { samples.fragmentFlags($0) } : nil
    self.flags = flags
    hasOffsets =
      samples.statesPresentation || range.contains { samples.compositionOffsets[$0] != 0 }
  }

  func writeHeader(_ writer: inout BoxWriter, id: UInt32, description: UInt32) {
    // Offsets count from the start of the fragment.
    var content: UInt32 = 0x2_0000
    if description != 1 { content |= 0x2 }
    if duration != nil { content |= 0x8 }
    if size != nil { content |= 0x10 }
    if flags ?? laterFlags != nil { content |= 0x20 }
    writer.fullBox("tfhd", flags: content) {
      $0.u32(id)
      if description != 1 { $0.u32(description) }
      if let duration { $0.u32(duration) }
      if let size { $0.u32(size) }
      if let flags = flags ?? laterFlags { $0.u32(flags) }
    }
  }

  /// - Returns: the position of its data offset field, which is still to be filled in.
  func write(_ writer: inout BoxWriter) -> Int {
    var position = 0
    var content: UInt32 = 0x1
    if laterFlags != nil { content |= 0x4 }
    if duration == nil { content |= 0x100 }
    if size == nil { content |= 0x200 }
    let listsFlags = flags == nil && laterFlags == nil
    if listsFlags { content |= 0x400 }
    if hasOffsets { content |= 0x800 }
    writer.fullBox("trun", version: 1, flags: content) {
      $0.u32(UInt32(truncatingIfNeeded: range.count))
      position = $0.count
      $0.u32(0)
      if laterFlags != nil { $0.u32(samples.fragmentFlags(range.lowerBound)) }
      for index in range {
        if duration == nil { $0.u32(samples.durations[index]) }
        if size == nil { $0.u32(samples.sizes[index]) }
        if listsFlags { $0.u32(samples.fragmentFlags(index)) }
        if hasOffsets { $0.i32(samples.compositionOffsets[index]) }
      }
    }
    return position
  }
}

extension Collection where Element == Int {
  /// The value that all samples share; `nil` when they differ or there are none.
  fileprivate func common(_ value: (Int) -> UInt32) -> UInt32? {
    guard let first = first.map(value) else { return nil }
    return allSatisfy { value($0) == first } ? first : nil
  }
}

extension ISOOutputSamples {
  /// A sample's dependency flags for `trun`, in the bits of ISO 14496-12, 8.8.3.1.
  ///
  /// Where they are unknown, a sync sample depends on no others and a non-sync sample does.
  fileprivate func fragmentFlags(_ index: Int) -> UInt32 {
    let known = UInt32(dependencies[index]) << 20
    guard !isSync(index) else {
      // Readers treat a sample that depends on others as non-sync, whatever the other flags.
      return known & 0x300_0000 == 0x200_0000 ? known : known & ~0x300_0000 | 0x200_0000
    }
    return (known != 0 ? known : 0x100_0000) | 0x1_0000
  }
}
