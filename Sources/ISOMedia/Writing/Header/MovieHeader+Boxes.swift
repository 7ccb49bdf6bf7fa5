extension MovieHeader {
  /// The kind of sample tables in a header.
  enum Tables {
    /// The offsets of each track's chunks, counted from the first byte of the media.
    case chunks([[ISOOutputChunk]], is64Bit: Bool)
    /// None, since the samples are in fragments.
    case fragmented
  }

  /// The position of a track's first chunk offset in the written header.
  struct OffsetTable {
    var track: Int
    var position: Int
  }

  /// Writes `ftyp` and the boxes carried over before `moov`.
  func writeBrands(_ writer: inout BoxWriter, isFragmented: Bool) {
    if var brands = output.movie.brands {
      if isFragmented {
        brands = brands.including("iso5", unlessOneOf: Self.since5)
          .including("iso6", unlessOneOf: Self.since6)
      } else {
        brands = brands.withoutSegmentBrands
        if output.tracks.contains(where: \.samples.hasNegativeOffsets) {
          brands = brands.including("iso4", unlessOneOf: Self.since4)
        }
      }
      writer.boxes([brands.box])
    }
    writer.boxes(output.movie.fileBoxes)
  }

  private static let since6: Set<FourCC> = ["iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc"]
  private static let since5 = since6.union(["iso5", "cmfc"])
  private static let since4 = since5.union(["iso4"])

  /// Writes `moov`.
  ///
  /// - Returns: the positions of the chunk offsets, which count from the start of the media until
  ///   they are corrected.
  func writeMovie(_ writer: inout BoxWriter, _ tables: Tables) -> [OffsetTable] {
    var offsets: [OffsetTable] = []
    writer.box("moov") { writer in
      writeMovieHeader(&writer, tables)
      for index in output.tracks.indices {
        TrackWriter(header: self, index: index).write(&writer, tables, &offsets)
      }
      if case .fragmented = tables { writeExtends(&writer) }
      // First: after the keys of a `meta` box, readers apply them to the items of `udta`.
      writeUserData(&writer)
      writer.boxes(output.movie.boxes)
    }
    return offsets
  }

  private func writeMovieHeader(_ writer: inout BoxWriter, _ tables: Tables) {
    let movie = output.movie
    // A fragmented file states its duration in `mehd`.
    var stated = duration
    if case .fragmented = tables { stated = 0 }
    let version = Self.version([movie.creationTime, output.modificationTime], stated)
    writer.fullBox("mvhd", version: version) {
      $0.u32or64(movie.creationTime, version: version)
      $0.u32or64(output.modificationTime, version: version)
      $0.u32(timescale)
      $0.u32or64(stated, version: version)
      $0.u32(movie.rate)
      $0.u16(movie.volume)
      $0.zeros(10)
      $0.matrix(movie.matrix)
      $0.zeros(24)
      let last = ids.max() ?? 0
      $0.u32(max(movie.nextTrackID, last < .max ? last + 1 : last))
    }
  }

  /// Version 1 where a time does not fit 32 bits, or a duration would read as "unknown".
  static func version(_ times: [UInt64], _ duration: UInt64) -> UInt8 {
    times.contains { $0 > UInt64(UInt32.max) } || duration >= UInt64(UInt32.max) ? 1 : 0
  }

  private func writeExtends(_ writer: inout BoxWriter) {
    writer.box("mvex") {
      let version = Self.version([], duration)
      $0.fullBox("mehd", version: version) { $0.u32or64(duration, version: version) }
      for id in ids {
        $0.fullBox("trex") {
          $0.u32(id)
          $0.u32(1)
          $0.zeros(12)
        }
      }
    }
  }

  private func writeUserData(_ writer: inout BoxWriter) {
    let chapters = output.chapterList ?? []
    guard !output.movie.userData.isEmpty || !chapters.isEmpty else { return }
    writer.box("udta") {
      $0.boxes(output.movie.userData)
      if !chapters.isEmpty { $0.chapterList(chapters) }
    }
  }
}

extension ISOOutputSamples {
  var hasNegativeOffsets: Bool {
    var isNegative = false
    compositionOffsets.forEachRun { offset, _ in if offset < 0 { isNegative = true } }
    return isNegative
  }
}
