/// The contents of an Apple ProRes frame header (SMPTE RDD 36, 5.1).
package struct ProResHeader: Hashable {
  package var pixelFormat: String
  package var bitDepth: Int

  /// - Parameter sample: a frame or its beginning: its size, `icpf`, then the header.
  package init?(_ sample: ArraySlice<UInt8>) {
    let bytes = Array(sample.prefix(26))
    guard bytes.count == 26, bytes[4..<8].elementsEqual(Array("icpf".utf8)) else { return nil }
    let chroma = bytes[20] >> 6
    let hasAlpha = bytes[25] & 0x0F != 0
    // Decoders output 4:2:2 with ten bits and 4:4:4 with twelve.
    bitDepth = chroma == 3 ? 12 : 10
    pixelFormat = "yuv\(hasAlpha ? "a" : "")\(chroma == 3 ? "444" : "422")p\(bitDepth)le"
  }
}
