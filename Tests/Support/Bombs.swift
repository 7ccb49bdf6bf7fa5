/// Small files that demand a lot of resources.
package enum Bombs {
  /// The same bytes over and over, fast in a debug build too.
  package static func repeated(_ bytes: [UInt8], count: Int) -> [UInt8] {
    guard count > 1 else { return count == 1 ? bytes : [] }
    let half = repeated(bytes, count: count / 2)
    return half + half + (count % 2 == 1 ? bytes : [])
  }

  /// A zlib stream of zeros (RFC 1950 and 1951): one literal, then copies of 258 bytes each in the
  /// fixed Huffman code, which packs 158 to 1.
  package static func deflatedZeros(_ count: Int) -> [UInt8] {
    // The last block, in the fixed code, then the literal 0. A copy is the length code 285 and the
    // distance code 0; eight of them are thirteen bytes, after which the pattern starts again.
    let opening = "11000110000"
    let copy = "1100010100000"
    let bits = Array((opening + String(repeating: copy, count: 16)).utf8)
    let packed: [UInt8] = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      var byte: UInt8 = 0
      for place in 0..<8 where bits[start + place] == UInt8(ascii: "1") { byte |= 1 << place }
      return byte
    }
    let head = packed.prefix(2)
    return [0x78, 0x01] + head
      + repeated(Array(packed[2..<15]), count: max(1, count / (258 * 8)))
  }

  /// A file whose compressed header unpacks to zeros (QuickTime's `cmov`).
  package static func compressedHeader(unpackingTo count: Int) -> [UInt8] {
    let data = BoxBuilder(
      "cmvd", fields: [.u32(UInt32(count)), .bytes(deflatedZeros(count))])
    let algorithm = BoxBuilder("dcom", fields: [.text("zlib")])
    return BoxBuilder("moov", [BoxBuilder("cmov", [algorithm, data])]).bytes
  }

  /// A raw H.264 stream whose parameter sets claim a size in macroblocks; its pictures are noise.
  package static func h264(widthInMacroblocks width: Int, height: Int, pictures: Int) -> [UInt8] {
    var sps = BitBuilder()
    // Baseline profile, level 6.2 (ITU-T H.264, 7.3.2.1.1).
    for byte in [0x67, 66, 0, 62] { sps.write(byte, 8) }
    // seq_parameter_set_id, log2_max_frame_num − 4, pic_order_cnt_type, max_num_ref_frames
    for value in [0, 0, 2, 16] { sps.ue(value) }
    sps.write(0, 1)
    sps.ue(width - 1)
    sps.ue(height - 1)
    // frame_mbs_only, direct_8x8, no cropping, no VUI
    for bit in [1, 1, 0, 0] { sps.write(bit, 1) }
    sps.finish()
    var pps = BitBuilder()
    pps.write(0x68, 8)
    pps.ue(0)
    pps.ue(0)
    pps.write(0, 2)
    for value in [0, 0, 0] { pps.ue(value) }
    pps.write(0, 3)
    for _ in 0..<3 { pps.ue(0) }
    pps.write(0, 3)
    pps.finish()
    var stream = [0, 0, 0, 1] + sps.bytes + [0, 0, 0, 1] + pps.bytes
    for number in 0..<pictures {
      var slice = BitBuilder()
      // Every picture an IDR: first_mb, I slice, pic_parameter_set_id, frame_num, idr_pic_id
      slice.write(0x65, 8)
      for value in [0, 7, 0] { slice.ue(value) }
      slice.write(0, 4)
      slice.ue(number % 2)
      slice.write(0, 2)
      slice.ue(0)
      // Macroblocks of raw samples and of random bits.
      for value in 0..<200 { slice.write(value * 37 + 5 | 1, 8) }
      slice.finish()
      stream += [0, 0, 0, 1] + slice.bytes
    }
    return stream
  }

  /// A PNG of one colour, one bit a pixel.
  package static func png(width: Int, height: Int) -> [UInt8] {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + content
      return BoxBuilder.Field.u32(UInt32(content.count)).bytes + body
        + BoxBuilder.Field.u32(crc(body)).bytes
    }
    let size = [width, height].flatMap { BoxBuilder.Field.u32(UInt32($0)).bytes }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [1, 0, 0, 0, 0])
      + chunk("IDAT", deflatedZeros((width / 8 + 1) * height)) + chunk("IEND", [])
  }

  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
    }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
