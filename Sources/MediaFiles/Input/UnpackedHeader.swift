import ISOMedia
import Libav

/// The movie header of a file in which it is compressed.
struct UnpackedHeader: Sendable {
  /// Where the compressed one stands.
  let offset: Int64
  /// A `moov` box.
  let bytes: [UInt8]

  /// `nil` for a header that is not compressed, or unpacks to more than ``most`` or to no header.
  init?(of movie: ISOMovie, in file: FileBytes) {
    guard movie.tracks.isEmpty, let box = movie.topLevel.first(where: { $0.type == "moov" }),
      box.size <= Self.most, let stored = try? file.read(at: box.offset, count: Int(box.size)),
      let packed = ISOCompressedHeader(moov: stored), packed.algorithm == "zlib",
      packed.byteCount <= Self.most,
      let bytes = Inflation.inflated(packed.data, to: packed.byteCount), bytes.count >= 8,
      bytes[4..<8].elementsEqual("moov".utf8)
    else { return nil }
    offset = box.offset
    self.bytes = bytes
  }

  /// Makes the compressed header free space in bytes of the file from a place on.
  func free(in read: inout [UInt8], at place: Int64) {
    for (index, byte) in "free".utf8.enumerated() {
      let index = Int(clamping: offset + 4 + Int64(index) - place)
      if read.indices.contains(index) { read[index] = byte }
    }
  }

  /// A header of 200,000 samples is this large.
  private static let most = 8 << 20
}
