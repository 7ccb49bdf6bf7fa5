/// The layout of a fragmented file: a header without samples, then fragments, each with its own
/// header and media (ISO 14496-12, 8.8).
///
/// The caller writes ``initSegment``, and then for each fragment ``headerBytes(of:)`` and its
/// samples, track by track, with nothing in between.
package struct ISOFragmentedLayout: Sendable {
  /// `ftyp` and `moov`.
  package let initSegment: [UInt8]
  package let fragments: [ISOFragment]
  /// The size of the whole file.
  package let fileByteCount: Int64
  package let movieTimescale: UInt32
  package let isTimescaleExact: Bool
  package let trackIDs: [UInt32]
  private let tracks: [ISOOutputTrack]

  /// Splits a file into fragments: at each sync sample of the first video track that is decoded at
  /// least a second after the last split, and at the latest after a minute.
  ///
  /// - Throws: ``ISOWriteError`` as for ``ISOFileLayout``, and when a fragment exceeds 2 GiB.
  package init(_ output: ISOOutputFile) throws(ISOWriteError) {
    let header = try MovieHeader(output)
    var writer = BoxWriter()
    header.writeBrands(&writer, isFragmented: true)
    _ = header.writeMovie(&writer, .fragmented)
    guard writer.count <= Int(Int32.max) else { throw .tooLarge }
    initSegment = writer.bytes
    tracks = output.tracks
    trackIDs = header.ids
    movieTimescale = header.timescale
    isTimescaleExact = header.isTimescaleExact
    var offset = Int64(writer.count)
    var fragments = FragmentPlan(output.tracks).fragments()
    for index in fragments.indices {
      let boxes = FragmentWriter(
        tracks: output.tracks, ids: header.ids, fragment: fragments[index], number: index + 1)
      let headerCount = try boxes.bytes.count
      fragments[index].offset = offset
      fragments[index].headerByteCount = headerCount
      offset += Int64(headerCount) + fragments[index].mediaByteCount
    }
    self.fragments = fragments
    fileByteCount = offset
  }

  /// `moof` and the header of `mdat`, created on request.
  ///
  /// - Throws: never for a fragment of this layout.
  package func headerBytes(of index: Int) throws(ISOWriteError) -> [UInt8] {
    try FragmentWriter(
      tracks: tracks, ids: trackIDs, fragment: fragments[index], number: index + 1
    ).bytes
  }
}

/// One `moof` and its `mdat`.
package struct ISOFragment: Sendable {
  /// The samples of each track, stored track by track.
  package internal(set) var samples: [Range<Int>]
  /// Decoding times of the first of them, in ticks of each track.
  package internal(set) var decodeTimes: [Int64]
  /// The offset of its `moof` in the file.
  package internal(set) var offset: Int64 = 0
  /// Size in bytes of `moof` and the header of `mdat`.
  package internal(set) var headerByteCount = 0
  package internal(set) var mediaByteCount: Int64 = 0
}
