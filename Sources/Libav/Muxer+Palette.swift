import CFFmpeg
package import MediaFacts

extension Muxer {
  /// Codecs whose palette is not in packets but in the AVI or Matroska header, by FFmpeg's names.
  package static let paletted: Set<Codec> = [.msRLE, .msVideo1, .cinepak, .smc]

  /// Gives every stream with a palette the paletted pixel format, which no decoder has set.
  func markPaletted() {
    for index in unsafe 0..<Int(context.pointee.nb_streams)
    where headerPalette(ofStream: index) != nil {
      unsafe context.pointee.streams[index]?.pointee.codecpar.pointee.format =
        AV_PIX_FMT_PAL8.rawValue
    }
  }

  /// The palette as stored in AVI and Matroska, after the `BITMAPINFOHEADER`; `nil` where a
  /// stream has none.
  ///
  /// FFmpeg's QuickTime muxer writes the color table of a sample description (QuickTime File
  /// Format, "Color table atom") from packet side data, for pictures in a paletted pixel format,
  /// and ignores the header's palette.
  func headerPalette(ofStream index: Int) -> [UInt8]? {
    guard unsafe index < Int(context.pointee.nb_streams),
      let parameters = unsafe context.pointee.streams[index]?.pointee.codecpar,
      unsafe Self.paletted.contains(
        Codec(String(cString: avcodec_get_name(parameters.pointee.codec_id)))),
      unsafe (1...8).contains(parameters.pointee.bits_per_coded_sample),
      let colors = unsafe parameters.pointee.extradata
    else { return nil }
    // Four bytes per color at the end: blue, green, red, and one unused.
    let size = unsafe Int(parameters.pointee.extradata_size)
    let count = unsafe min(size / 4, 1 << parameters.pointee.bits_per_coded_sample)
    guard count > 0 else { return nil }
    let raw = unsafe UnsafeRawBufferPointer(start: colors + size - count * 4, count: count * 4)
    var palette = [UInt8](repeating: 0, count: 1024)
    for place in 0..<count {
      let color = unsafe raw.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
      let opaque = UInt32(littleEndian: color) | 0xff00_0000
      unsafe palette.withUnsafeMutableBytes { bytes in
        unsafe bytes.storeBytes(of: opaque, toByteOffset: place * 4, as: UInt32.self)
      }
    }
    return palette
  }
}

extension OwnedPacket {
  /// Attaches a palette of 256 words, alpha first (libavcodec/packet.h).
  func setPalette(_ bytes: [UInt8]) throws(LibavError) {
    guard
      let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_PALETTE, bytes.count)
    else { throw LibavError(.outOfMemory, "no memory for a packet of \(bytes.count) bytes") }
    unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
  }
}
