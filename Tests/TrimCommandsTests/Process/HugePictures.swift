import Support

/// Streams of a few kilobytes whose headers claim pictures of a given size.
enum HugePictures {
  private static let startCode: [UInt8] = [0, 0, 0, 1]

  /// A NAL unit with its emulation prevention (ITU-T H.265, 7.3.1.1).
  private static func unit(_ header: [UInt8], _ write: (inout BitBuilder) -> Void) -> [UInt8] {
    var bits = BitBuilder()
    write(&bits)
    bits.finish()
    var escaped = header
    var zeros = 0
    for byte in bits.bytes {
      if zeros >= 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      escaped.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return startCode + escaped
  }

  /// profile_tier_level: Main, level 6.2 (7.3.3).
  private static func level(_ bits: inout BitBuilder) {
    bits.write(1, 8)
    bits.write(0x6000_0000, 32)
    bits.write(0b1001, 4)
    bits.write(0, 44)
    bits.write(186, 8)
  }

  /// A raw HEVC stream in which each picture is an IDR of noise.
  static func hevc(width: Int, height: Int, pictures: Int = 30) -> [UInt8] {
    let video = unit([0x40, 1]) { bits in
      bits.write(0x30_03, 14)
      bits.write(0, 1)
      bits.write(1, 1)
      bits.write(0xFFFF, 16)
      level(&bits)
      bits.write(1, 1)
      for value in [15, 0, 0] { bits.ue(value) }
      bits.write(0, 6)
      bits.ue(0)
      bits.write(0, 2)
    }
    let sequence = unit([0x42, 1]) { bits in
      bits.write(1, 8)
      level(&bits)
      for value in [0, 1, width, height] { bits.ue(value) }
      bits.write(0, 1)
      for value in [0, 0, 4] { bits.ue(value) }
      bits.write(1, 1)
      for value in [15, 0, 0, 0, 3, 0, 3, 0, 0] { bits.ue(value) }
      bits.write(0, 4)
      bits.ue(0)
      bits.write(0, 5)
    }
    let picture = unit([0x44, 1]) { bits in
      for value in [0, 0] { bits.ue(value) }
      bits.write(0, 7)
      for value in [0, 0, 0] { bits.ue(value) }
      bits.write(0, 3)
      for value in [0, 0] { bits.ue(value) }
      bits.write(0, 10)
      bits.ue(0)
      bits.write(0, 2)
    }
    let slice = unit([0x26, 1]) { bits in
      bits.write(0b10, 2)
      for value in [0, 2, 0] { bits.ue(value) }
      bits.write(1, 1)
      for value in 0..<200 { bits.write(value * 37 + 5 | 1, 8) }
    }
    return video + sequence + picture + Bombs.repeated(slice, count: pictures)
  }

  /// AV1 in IVF: a sequence header for still pictures, and frames of noise (AV1 bitstream
  /// specification, 5.5).
  static func av1(width: Int, height: Int) -> [UInt8] {
    func bytes(_ write: (inout BitBuilder) -> Void) -> [UInt8] {
      var bits = BitBuilder()
      write(&bits)
      bits.finish()
      return bits.bytes
    }
    let sequence = bytes { bits in
      bits.write(0b00011, 5)
      bits.write(31, 5)
      bits.write(0xFF, 8)
      bits.write(width - 1, 16)
      bits.write(height - 1, 16)
      bits.write(0, 14)
    }
    let frame = bytes { bits in
      bits.write(1, 4)
      for value in 0..<100 { bits.write(value * 37 + 5 | 1, 8) }
    }
    let packet =
      [0x12, 0, 0x0A, UInt8(sequence.count)] + sequence + [0x32, UInt8(frame.count)] + frame
    let count = 30
    let header =
      Array("DKIF".utf8) + [0, 0, 32, 0] + Array("AV01".utf8) + [255, 255, 255, 255]
      + [25, 1, count, 0].flatMap(RIFFBuilder.little)
    return header
      + (0..<count).flatMap { [packet.count, $0, 0].flatMap(RIFFBuilder.little) + packet }
  }

  /// The pictures of a raw H.264 stream, the first with its parameter sets.
  private static func pictures(_ stream: [UInt8]) -> [[UInt8]] {
    var pictures: [[UInt8]] = [[]]
    var position = 0
    while position < stream.count {
      let rest = stream[position...]
      let isUnit = rest.starts(with: startCode)
      if isUnit, rest.dropFirst(4).first == 0x65, pictures.last?.contains(0x65) == true {
        pictures.append([])
      }
      let end = isUnit ? position + 4 : position + 1
      pictures[pictures.count - 1] += stream[position..<end]
      position = end
    }
    return pictures
  }

  /// A program stream (ISO 13818-1, 2.5.3) without a map: its streams are known from their first
  /// packets.
  static func programStream(_ stream: [UInt8], copies: Int = 1) -> [UInt8] {
    let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0, 3, 0xFF, 0xF8]
    var bytes: [UInt8] = []
    for (number, picture) in pictures(stream).enumerated() {
      bytes += pack
      let time = number * 3600 + 9000
      let stamp = [time >> 29 & 14 | 0x21, time >> 22, time >> 14 | 1, time >> 7, time << 1 | 1]
      let body = [0x80, 0x80, 5] + stamp.map { UInt8(truncatingIfNeeded: $0) } + picture
      for copy in 0..<copies {
        bytes +=
          [0, 0, 1, 0xE0 + UInt8(copy)] + BoxBuilder.Field.u16(UInt16(body.count)).bytes + body
      }
    }
    return bytes + [0, 0, 1, 0xB9]
  }

  /// Flash video (version 10.1, annex E): its stream is known from its first tag.
  static func flash(_ stream: [UInt8]) -> [UInt8] {
    func tag(_ time: UInt32, _ body: [UInt8]) -> [UInt8] {
      let size = BoxBuilder.Field.u32(UInt32(body.count)).bytes.dropFirst()
      let head = [9] + size + BoxBuilder.Field.u32(time << 8).bytes + [0, 0, 0]
      return head + body + BoxBuilder.Field.u32(UInt32(11 + body.count)).bytes
    }
    func units(_ picture: [UInt8]) -> [[UInt8]] {
      var starts: [Int] = []
      for index in picture.indices where picture[index...].starts(with: startCode) {
        starts.append(index)
      }
      return zip(starts, starts.dropFirst() + [picture.count]).map { Array(picture[($0 + 4)..<$1]) }
    }
    let pictures = pictures(stream).map(units)
    let sets = pictures[0].prefix(2).map { BoxBuilder.Field.u16(UInt16($0.count)).bytes + $0 }
    let configuration = [1, 66, 0, 62, 0xFF, 0xE1] + sets[0] + [1] + sets[1]
    var bytes = Array("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0]
    bytes += tag(0, [0x17, 0, 0, 0, 0] + configuration)
    for (number, picture) in pictures.enumerated() {
      let slice = picture.last ?? []
      bytes += tag(
        UInt32(number * 40),
        [0x17, 1, 0, 0, 0] + BoxBuilder.Field.u32(UInt32(slice.count)).bytes + slice)
    }
    return bytes
  }
}
