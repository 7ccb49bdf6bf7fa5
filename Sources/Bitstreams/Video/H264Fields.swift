/// Determines which H.264 packets are the second field of a frame.
///
/// Containers with start codes store each field as a separate picture (ITU-T H.264, 7.4.1.2.4);
/// those with a sample table store both in one sample.
package struct H264Fields {
  private var frameNumberBits: Int
  private var hasColourPlanes: Bool
  /// False while the active SPS rules out fields: a concatenated stream can switch to progressive.
  private var mayBeFields = true
  /// A first field that waits for its second.
  private var first: Field?

  private struct Field: Equatable {
    var frameNumber: UInt32
    var isBottom: Bool
  }

  /// - Parameter configuration: the parameter sets, with start codes.
  /// - Returns: `nil` where every picture is a frame.
  package init?(configuration: [UInt8]) {
    guard Framing(codec: "h264", configuration: configuration) == .annexB,
      let header = VideoHeader(codec: "h264", configuration: configuration),
      header.isProgressive != true, let bits = header.frameNumberBits
    else { return nil }
    frameNumberBits = bits
    hasColourPlanes = header.hasColourPlanes
  }

  /// True when the packet is the second field of the frame that the previous packet started.
  package mutating func isSecond(_ packet: ArraySlice<UInt8>) -> Bool {
    let field = field(in: packet)
    if let field, let waiting = first, field.frameNumber == waiting.frameNumber,
      field.isBottom != waiting.isBottom
    {
      first = nil
      return true
    }
    first = field
    return false
  }

  private mutating func follow(_ sequence: ArraySlice<UInt8>) {
    guard let header = VideoHeader(h264SPS: sequence), let bits = header.frameNumberBits else {
      return
    }
    (frameNumberBits, hasColourPlanes) = (bits, header.hasColourPlanes)
    mayBeFields = header.isProgressive != true
  }

  /// The field in a packet; `nil` for a frame, and for a packet without a slice.
  private mutating func field(in packet: ArraySlice<UInt8>) -> Field? {
    for unit in NALUnits(bytes: packet, framing: .annexB) {
      guard let header = unit.first else { continue }
      if header & 0x1F == 7 { follow(unit) }
      guard header & 0x1F == 1 || header & 0x1F == 5 else { continue }
      guard mayBeFields else { return nil }
      // first_mb_in_slice, slice_type and pic_parameter_set_id are at most eleven bytes.
      var reader = BitReader(NALUnits.unescaped(unit.dropFirst(), limit: 32))
      for _ in 0..<3 where reader.exponentialGolomb() == nil { return nil }
      if hasColourPlanes { reader.skip(2) }
      guard let number = reader.read(frameNumberBits), reader.flag() == true,
        let isBottom = reader.flag()
      else { return nil }
      return Field(frameNumber: number, isBottom: isBottom)
    }
    return nil
  }
}
