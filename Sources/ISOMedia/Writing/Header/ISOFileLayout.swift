import ExactTime

/// The layout of a file: the bytes before the media data, and the offset of each sample.
///
/// `moov` comes first, so that a player can start before it has the whole file. The caller writes
/// ``headerBytes`` and then the samples in the order of ``chunks``, which fill the file without a
/// gap up to ``fileByteCount``.
package struct ISOFileLayout: Sendable {
  /// `ftyp`, `moov` and the header of `mdat`.
  package let headerBytes: [UInt8]
  /// The media in file order.
  package let chunks: [ISOOutputChunk]
  /// The size of the whole file.
  package let fileByteCount: Int64
  /// Ticks per second of the movie timeline.
  package let movieTimescale: UInt32
  /// False where some edit's end had to be rounded to a tick of ``movieTimescale``.
  package let isTimescaleExact: Bool
  /// The track_ID of each track.
  package let trackIDs: [UInt32]

  /// - Throws: ``ISOWriteError`` when the file has no tracks, a track lacks what a reader needs, or
  ///   a number does not fit its field.
  package init(_ output: ISOOutputFile) throws(ISOWriteError) {
    let header = try MovieHeader(output)
    let chunks = output.tracks.interleaved()
    let mediaBytes = chunks.last.map { $0.offset + $0.byteCount } ?? 0
    let placed = try header.write(chunks, mediaBytes: mediaBytes)
    headerBytes = placed.bytes
    self.chunks = placed.chunks
    fileByteCount = Int64(placed.bytes.count) + mediaBytes
    movieTimescale = header.timescale
    isTimescaleExact = header.isTimescaleExact
    trackIDs = header.ids
  }
}
