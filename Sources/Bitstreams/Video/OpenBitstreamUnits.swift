/// Iterates over the OBUs of an AV1 temporal unit, or of the beginning of one (AV1 bitstream, 5.3), up to the
/// first invalid one.
package struct OpenBitstreamUnits: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// A unit; the last one may be truncated.
  package struct Unit {
    /// obu_type (6.2.2).
    package var type: UInt8
    /// What follows the header.
    package var payload: ArraySlice<UInt8>
    /// The whole unit with its header.
    package var bytes: ArraySlice<UInt8>

    package static let sequenceHeader: UInt8 = 1
    package static let delimiter: UInt8 = 2
    /// The types of a frame and of a separate frame header.
    package static let frames: Set<UInt8> = [3, 6]
    package static let metadata: UInt8 = 5
  }

  package init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package mutating func next() -> Unit? {
    guard position < bytes.endIndex else { return nil }
    let header = bytes[position]
    let hasExtension = header & 4 != 0
    let hasSize = header & 2 != 0
    var start = position + (hasExtension ? 2 : 1)
    guard header & 0x80 == 0, start <= bytes.endIndex else { return nil }
    var size = bytes.endIndex - start
    if hasSize {
      guard let stated = sizeField(at: &start) else { return nil }
      size = Swift.min(stated, bytes.endIndex - start)
    }
    let whole = bytes[position..<start + size]
    position = start + size
    return Unit(type: header >> 3 & 0xF, payload: bytes[start..<position], bytes: whole)
  }

  /// leb128, 4.10.5; sizes need at most 32 bits.
  private func sizeField(at position: inout Int) -> Int? {
    var value = 0
    for index in 0..<5 {
      guard position < bytes.endIndex else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
