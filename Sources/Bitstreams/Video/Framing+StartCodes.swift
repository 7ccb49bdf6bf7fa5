package import MediaFacts

extension Framing {
  /// Parameter sets for a stream whose packets have start codes although its configuration is in MP4 form:
  /// AVI writers copy both unchanged.
  ///
  /// - Returns: the sets with start codes; `nil` where the configuration fits the packet.
  package static func startCodes(
    codec: Codec, configuration: [UInt8], packet: [UInt8]
  ) -> [UInt8]? {
    guard case .lengthPrefixed(let size) = Framing(codec: codec, configuration: configuration),
      packet.starts(with: [0, 0, 1]) || packet.starts(with: [0, 0, 0, 1]),
      !isWhole(packet, lengthSize: size)
    else { return nil }
    switch codec {
    case .h264:
      let sets = H264Sets(configuration: configuration)
      return Framing.annexB.pack(sets.sequenceUnits + sets.pictureUnits)
    default: return Framing.annexB.pack(HEVCSets(configuration: configuration).all)
    }
  }

  /// Whether length prefixes lead from unit to unit up to the end.
  private static func isWhole(_ packet: [UInt8], lengthSize: Int) -> Bool {
    var position = 0
    while packet.count - position > lengthSize {
      let length = packet[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length > 0, length <= packet.count - position else { return false }
      position += length
    }
    return position == packet.count
  }
}
