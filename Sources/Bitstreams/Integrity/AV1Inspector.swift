/// Looks for damage in temporal units of AV1 (AV1 bitstream, 5.3): every OBU states its size, together they
/// fill the sample, and at least one is a frame or frame header (7.5).
///
/// A sequence header must end where its syntax does.
package enum AV1Inspector {
  /// The fault in the sequence header of an av1C box, whose units start after four bytes.
  package static func fault(inConfiguration box: [UInt8]) -> PacketFault? {
    guard box.count > 4, box[0] == 0x81 else { return nil }
    return OpenBitstreamUnits(bytes: box[4...]).lazy.compactMap {
      fault(inUnit: $0.type, $0.payload)
    }
    .first
  }

  private static func fault(inUnit type: UInt8, _ payload: ArraySlice<UInt8>) -> PacketFault? {
    // OBU_SEQUENCE_HEADER (6.2.2).
    guard type == 1, AV1SequenceHeader(payload)?.endsWhereStated != true else { return nil }
    return .header("a sequence header does not end where it should")
  }

  package static func fault(in sample: [UInt8]) -> PacketFault? {
    var place = 0
    var hasFrame = false
    while place < sample.count {
      let header = sample[place]
      guard header & 0x80 == 0 else { return .header("the first bit of a unit is not 0") }
      // OBU_FRAME_HEADER, OBU_FRAME (6.2.2).
      let type = header >> 3 & 15
      hasFrame = hasFrame || type == 3 || type == 6
      place += header & 4 != 0 ? 2 : 1
      // Only the last one may omit the size (AV1-ISOBMFF, 2.4).
      guard header & 2 != 0 else { break }
      var size = 0
      var shift = 0
      while true {
        guard place < sample.count, shift < 35 else {
          return .structure("the size of a unit cannot be read")
        }
        let byte = sample[place]
        size |= Int(byte & 0x7F) << shift
        place += 1
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      guard size <= sample.count - place else {
        return .structure("a unit is longer than its sample")
      }
      if let fault = fault(inUnit: type, sample[place..<place + size]) { return fault }
      place += size
    }
    return hasFrame ? nil : .header("it contains no frame")
  }
}
