/// Looks for damage in temporal units of AV1 (AV1 bitstream, 5.3): every OBU states its size, together
/// they fill the sample, and one of them is a frame or its header (7.5).
package enum AV1Inspector {
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
      // Only the last one may do without (AV1-ISOBMFF, 2.4).
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
      place += size
    }
    return hasFrame ? nil : .header("it contains no frame")
  }
}
