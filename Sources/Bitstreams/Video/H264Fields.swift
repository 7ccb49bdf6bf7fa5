import MediaFacts

/// Determines which H.264 packets are the second field of a frame.
///
/// Containers with start codes store each field as a separate picture (ITU-T H.264, 7.4.1.2.4);
/// those with a sample table store both in one sample.
package struct H264Fields {
  /// The active SPS: a concatenated stream can switch to progressive.
  private var sequence: H264SPS
  /// A first field that waits for its second.
  private var first: Field?

  private struct Field: Equatable {
    var frameNumber: UInt32
    var isBottom: Bool
  }

  /// - Parameter configuration: the parameter sets, with start codes.
  /// - Returns: `nil` where every picture is a frame.
  package init?(configuration: [UInt8]) {
    guard Framing(codec: .h264, configuration: configuration) == .annexB,
      let sequence = H264Sets(configuration: configuration).sequences.first, !sequence.onlyFrames
    else { return nil }
    self.sequence = sequence
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

  /// The field in a packet; `nil` for a frame, and for a packet without a slice.
  private mutating func field(in packet: ArraySlice<UInt8>) -> Field? {
    for unit in NALUnits(bytes: packet, framing: .annexB) {
      guard let header = unit.first else { continue }
      if header & 0x1F == 7, let set = H264SPS(Array(unit)) { sequence = set }
      guard header & 0x1F == 1 || header & 0x1F == 5 else { continue }
      guard !sequence.onlyFrames else { return nil }
      // first_mb_in_slice, slice_type and pic_parameter_set_id are at most eleven bytes.
      var reader = BitReader(NALEscaping.unescaped(unit.dropFirst().prefix(32)))
      for _ in 0..<3 where reader.exponentialGolomb() == nil { return nil }
      if sequence.hasSeparatePlanes { reader.skip(2) }
      guard let number = reader.read(sequence.frameNumberBits), reader.flag() == true,
        let isBottom = reader.flag()
      else { return nil }
      return Field(frameNumber: number, isBottom: isBottom)
    }
    return nil
  }
}
