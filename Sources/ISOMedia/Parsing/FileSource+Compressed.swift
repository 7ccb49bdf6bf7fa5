extension FileSource {
  /// QuickTime packed headers of some kilobytes.
  private static var mostUnpacked: Int { 16 << 20 }

  /// The box that describes the movie; unpacked where it is compressed (QuickTime File Format, “Compressed
  /// Movie Resources”): `cmov` holds the name of the method, and the box behind its size.
  ///
  /// Places within one that was unpacked are not those of the file.
  func movie(at header: ISOMovie.TopLevelBox) throws(ISOError) -> Box {
    let movie = Box(type: "moov", offset: header.offset, payload: try payload(of: header))
    return unpacked(movie) ?? movie
  }

  private func unpacked(_ movie: Box) -> Box? {
    guard let packed = movie.children().first(where: { _ in true }), packed.type == "cmov" else {
      return nil
    }
    var method: FourCC?
    var data: ByteView?
    for box in packed.children() {
      if box.type == "dcom" { method = box.payload.fourCC(0) }
      if box.type == "cmvd" { data = box.payload }
    }
    guard method == "zlib", let data, data.count > 4 else { return nil }
    let size = Int(data.u32(0))
    guard size >= 8, size <= min(Self.mostUnpacked, limits.headerBytes),
      let bytes = Inflation.unpack(data.slice(from: 4), limit: size), bytes.count == size
    else { return nil }
    let view = ByteView(bytes, fileOffset: movie.offset)
    guard let inner = BoxSequence(view).first(where: { _ in true }), inner.type == "moov" else {
      return nil
    }
    return Box(type: "moov", offset: movie.offset, payload: inner.payload)
  }
}
