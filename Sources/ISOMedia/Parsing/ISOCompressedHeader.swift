/// A movie header that is compressed, as QuickTime 3 and later write them on request (QuickTime File Format, "Compressed
/// Movie Resources").
struct ISOCompressedHeader {
  /// zlib is the only one in use (`dcom`).
  let algorithm: FourCC
  /// Bytes of the whole `moov` box that comes out, as the file claims.
  let byteCount: Int
  let data: [UInt8]

  /// `nil` where a box holds no compressed header.
  init?(moov: Box) {
    guard let packed = moov.children().first(where: { $0.type == "cmov" }),
      let algorithm = packed.children().first(where: { $0.type == "dcom" }),
      let content = packed.children().first(where: { $0.type == "cmvd" }),
      algorithm.payload.count >= 4, content.payload.count > 4
    else { return nil }
    self.algorithm = algorithm.payload.fourCC(0)
    byteCount = Int(content.payload.u32(0))
    data = Array(content.payload.slice(from: 4).bytes)
  }
}

extension FileSource {
  /// The movie header, unpacked where it is compressed and the file knows how.
  ///
  /// - Returns: the box, and whether it was unpacked: offsets of what is in it are then none of the file.
  func movieHeader(
    at place: ISOMovie.TopLevelBox
  ) throws(ISOError) -> (box: Box, isUnpacked: Bool) {
    let box = Box(type: "moov", offset: place.offset, payload: try payload(of: place))
    guard let packed = ISOCompressedHeader(moov: box),
      let bytes = file.unpacked(packed.data, by: packed.algorithm, to: packed.byteCount),
      bytes.count >= 8, bytes[4..<8].elementsEqual("moov".utf8)
    else { return (box, false) }
    let unpacked = ByteView(bytes, fileOffset: place.offset).slice(from: 8)
    return (Box(type: "moov", offset: place.offset, payload: unpacked), true)
  }
}
