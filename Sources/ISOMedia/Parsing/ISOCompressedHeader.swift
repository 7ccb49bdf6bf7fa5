/// A compressed movie header, as QuickTime 3 and later write on request (QuickTime File Format, "Compressed
/// Movie Resources").
struct ISOCompressedHeader {
  /// The compression algorithm (`dcom`); only zlib is in use.
  let algorithm: FourCC
  /// The stated size in bytes of the whole decompressed `moov` box.
  let byteCount: Int
  let data: [UInt8]

  /// `nil` where the box contains no compressed header.
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
  /// The movie header, decompressed where necessary and supported.
  ///
  /// - Returns: the box, and whether it was decompressed: offsets within it are then not offsets in the file.
  func movieHeader(
    at place: ISOMovie.TopLevelBox
  ) throws(ISOError) -> (box: Box, isUnpacked: Bool) {
    if place.size <= file.byteCount - place.offset {
      file.expect(place.offset..<place.offset + place.size)
      file.keep(place.offset..<place.offset + place.size)
    }
    let box = Box(type: "moov", offset: place.offset, payload: try payload(of: place))
    guard let packed = ISOCompressedHeader(moov: box),
      let bytes = file.unpacked(packed.data, by: packed.algorithm, to: packed.byteCount),
      bytes.count >= 8, bytes[4..<8].elementsEqual("moov".utf8)
    else { return (box, false) }
    let unpacked = ByteView(bytes, fileOffset: place.offset).slice(from: 8)
    return (Box(type: "moov", offset: place.offset, payload: unpacked), true)
  }
}
