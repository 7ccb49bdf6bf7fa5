extension MovieHeader {
  /// Writes everything before the media, once its size is known.
  ///
  /// - Parameter chunks: offsets count from the first byte of the media; in the result, from that
  ///   of the file.
  func write(
    _ chunks: [ISOOutputChunk], mediaBytes: Int64
  ) throws(ISOWriteError) -> (bytes: [UInt8], chunks: [ISOOutputChunk]) {
    var ofTracks = output.tracks.map { _ in [ISOOutputChunk]() }
    for chunk in chunks { ofTracks[chunk.track].append(chunk) }
    let mediaHeader = mediaBytes + 8 > Int64(UInt32.max) ? 16 : 8
    var placed = try write(ofTracks, is64Bit: false)
    var start = Int64(placed.writer.count + mediaHeader)
    // The furthest chunk begins before the end of the media.
    if let last = chunks.last, start + last.offset > Int64(UInt32.max) {
      placed = try write(ofTracks, is64Bit: true)
      start = Int64(placed.writer.count + mediaHeader)
      for table in placed.offsets {
        for (index, chunk) in ofTracks[table.track].enumerated() {
          placed.writer.overwrite(UInt64(start + chunk.offset), at: table.position + 8 * index)
        }
      }
    } else {
      for table in placed.offsets {
        for (index, chunk) in ofTracks[table.track].enumerated() {
          placed.writer.overwrite(
            UInt32(truncatingIfNeeded: start + chunk.offset), at: table.position + 4 * index)
        }
      }
    }
    placed.writer.mediaHeader(bytes: mediaBytes)
    let moved = chunks.map { chunk in
      var chunk = chunk
      chunk.offset += start
      return chunk
    }
    return (placed.writer.bytes, moved)
  }

  private func write(
    _ chunks: [[ISOOutputChunk]], is64Bit: Bool
  ) throws(ISOWriteError) -> (writer: BoxWriter, offsets: [OffsetTable]) {
    var writer = BoxWriter()
    writeBrands(&writer, isFragmented: false)
    let offsets = writeMovie(&writer, .chunks(chunks, is64Bit: is64Bit))
    guard writer.count <= Int(Int32.max) else {
      throw ISOWriteError(.tooLarge, "the headers would be larger than 2 GiB")
    }
    return (writer, offsets)
  }
}

extension BoxWriter {
  /// The header of `mdat`, with a 64-bit size where it needs one.
  mutating func mediaHeader(bytes: Int64) {
    let size = UInt64(bytes) + 8
    if size <= UInt64(UInt32.max) {
      u32(UInt32(size))
      fourCC("mdat")
    } else {
      u32(1)
      fourCC("mdat")
      u64(size + 8)
    }
  }
}
