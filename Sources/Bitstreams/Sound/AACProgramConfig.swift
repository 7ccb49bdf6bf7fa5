/// What tells the channels of AAC whose headers leave them to the frames: a program_config_element
/// (ISO 14496-3, 4.4.1.1), which encoders put into the first frame.
package struct AACProgramConfig: Hashable {
  /// Of the element with its identifier, at the beginning of a frame; whole bytes.
  package let byteCount: Int
  /// Up to the comment, as many bits as they are.
  private let description: [Bool]
  /// With the byte that counts it.
  private let comment: [UInt8]

  /// - Parameter frame: a raw frame; `nil` where it does not begin with such an element.
  package init?(frame: ArraySlice<UInt8>) {
    let identifier = 3
    var reader = BitReader(frame)
    guard reader.read(identifier) == 5, let length = Self.length(frame, from: identifier) else {
      return nil
    }
    // byte_alignment is of the frame here (4.5.2.1.1).
    let place = (identifier + length + 7) / 8
    guard place < frame.count else { return nil }
    let comment = frame.dropFirst(place).prefix(1 + Int(frame[frame.startIndex + place]))
    guard comment.count == 1 + Int(comment[comment.startIndex]) else { return nil }
    var bits: [Bool] = []
    for _ in 0..<length {
      guard let bit = reader.flag() else { return nil }
      bits.append(bit)
    }
    description = bits
    self.comment = Array(comment)
    byteCount = place + comment.count
  }

  /// What of a raw frame stands behind such an element; all of it where it begins with none.
  package static func left(of frame: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard (frame.first ?? 0) >> 5 == 5, let element = Self(frame: frame) else { return frame }
    return frame.dropFirst(element.byteCount)
  }

  /// In bits, up to the alignment before the comment (table 4.2).
  private static func length(_ frame: ArraySlice<UInt8>, from start: Int) -> Int? {
    var reader = BitReader(frame)
    // element_instance_tag, object_type, sampling_frequency_index
    guard reader.skip(start + 4 + 2 + 4), let front = reader.read(4), let side = reader.read(4),
      let back = reader.read(4), let low = reader.read(2), let data = reader.read(3),
      let coupling = reader.read(4)
    else { return nil }
    // Mixdown elements of one channel, of two, and the matrix.
    for bits in [4, 4, 3] {
      guard let isPresent = reader.flag(), !isPresent || reader.skip(bits) else { return nil }
    }
    let pairs = Int(front + side + back + coupling)
    guard reader.skip(5 * pairs + 4 * Int(low + data)) else { return nil }
    return reader.position - start
  }

  /// The description that containers without headers before the frames have (1.6.2.1, 4.4.1).
  ///
  /// - Parameter header: of a frame of the stream.
  package func audioSpecificConfig(_ header: ADTSHeader) -> [UInt8] {
    var writer = BitWriter()
    for byte in header.audioSpecificConfig { writer.write(UInt32(byte), bits: 8) }
    for bit in description { writer.flag(bit) }
    while writer.count % 8 != 0 { writer.flag(false) }
    return writer.bytes + comment
  }
}
