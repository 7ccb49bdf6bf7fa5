/// A program_config_element (ISO 14496-3, 4.4.1.1), which gives the channels of AAC whose headers
/// do not; encoders put it in the first frame.
package struct AACProgramConfig: Hashable {
  /// Size in bytes of the element with its identifier, at the beginning of a frame.
  package let byteCount: Int
  /// The bits up to the comment.
  private let description: [Bool]
  /// The comment, with its length byte.
  private let comment: [UInt8]

  /// - Parameter frame: a raw frame; `nil` where it does not begin with such an element.
  package init?(frame: ArraySlice<UInt8>) {
    let identifier = 3
    var reader = BitReader(frame)
    guard reader.read(identifier) == 5, let length = Self.length(frame, from: identifier) else {
      return nil
    }
    // byte_alignment is relative to the frame here (4.5.2.1.1).
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

  /// The part of a raw frame after such an element; the whole frame where it does not begin with
  /// one.
  package static func left(of frame: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard (frame.first ?? 0) >> 5 == 5, let element = Self(frame: frame) else { return frame }
    return frame.dropFirst(element.byteCount)
  }

  /// The length in bits, up to the alignment before the comment (table 4.2).
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

  /// The AudioSpecificConfig for containers whose frames have no headers (1.6.2.1, 4.4.1).
  ///
  /// - Parameter header: the header of a frame of the stream.
  package func audioSpecificConfig(_ header: ADTSHeader) -> [UInt8] {
    var writer = BitWriter()
    for byte in header.audioSpecificConfig { writer.write(UInt32(byte), bits: 8) }
    for bit in description { writer.flag(bit) }
    while writer.count % 8 != 0 { writer.flag(false) }
    return writer.bytes + comment
  }
}
