/// A movie header that is compressed, as QuickTime 3 and later write them on request (QuickTime File Format, "Compressed
/// Movie Resources").
package struct ISOCompressedHeader: Hashable, Sendable {
  /// zlib is the only one in use (`dcom`).
  package let algorithm: FourCC
  /// Bytes of the whole `moov` box that comes out, as the file claims.
  package let byteCount: Int
  package let data: [UInt8]

  /// `nil` where a box is none with a compressed header.
  ///
  /// - Parameter moov: all of the box.
  package init?(moov: [UInt8]) {
    let view = ByteView(moov, fileOffset: 0)
    let box = Box(type: "moov", offset: 0, payload: view.slice(from: view.u32(0) == 1 ? 16 : 8))
    guard let packed = box.children().first(where: { $0.type == "cmov" }),
      let algorithm = packed.children().first(where: { $0.type == "dcom" }),
      let content = packed.children().first(where: { $0.type == "cmvd" }),
      algorithm.payload.count >= 4, content.payload.count > 4
    else { return nil }
    self.algorithm = algorithm.payload.fourCC(0)
    byteCount = Int(content.payload.u32(0))
    data = Array(content.payload.slice(from: 4).bytes)
  }
}
