/// How many pictures a decoder holds and reorders, as a sequence parameter set states it for each
/// sub-layer (ITU-T H.265, 7.3.2.2.1).
package struct HEVCPictureOrdering {
  /// sps_max_dec_pic_buffering_minus1, sps_max_num_reorder_pics, sps_max_latency_increase_plus1.
  package struct Layer: Hashable {
    package var held: UInt32
    package var reordered: UInt32
    package var latency: UInt32
  }

  /// Their bit range in the unescaped payload, after the unit's two header bytes.
  package var range: Range<Int>
  package var layers: [Layer]

  /// `nil` where the set is not understood.
  package init?(_ unit: [UInt8]) {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = BitReader(payload)
    guard payload.count > 1, HEVCNumbering.skipToSequenceNumber(&reader),
      reader.exponentialGolomb() != nil, let chroma = reader.exponentialGolomb(), chroma < 4
    else { return nil }
    if chroma == 3 { reader.skip(1) }
    guard reader.exponentialGolomb() != nil, reader.exponentialGolomb() != nil,
      let isCropped = reader.flag()
    else { return nil }
    // The window, both bit depths and the size of the POC.
    for _ in 0..<(isCropped ? 7 : 3) where reader.exponentialGolomb() == nil { return nil }
    guard let areAllStated = reader.flag() else { return nil }
    let count = areAllStated ? Int(payload[0] >> 1 & 7) + 1 : 1
    let start = reader.position
    layers = []
    for _ in 0..<count {
      guard let held = reader.exponentialGolomb(), let reordered = reader.exponentialGolomb(),
        let latency = reader.exponentialGolomb(), held < 16, reordered <= held
      else { return nil }
      layers.append(Layer(held: held, reordered: reordered, latency: latency))
    }
    range = start..<reader.position
  }

  /// The same, with room for the pictures of another stream as well.
  package func waiting(as other: HEVCPictureOrdering) -> HEVCPictureOrdering {
    guard let model = other.layers.last else { return self }
    var result = self
    for place in result.layers.indices {
      result.layers[place].held = max(result.layers[place].held, model.held)
      result.layers[place].reordered = max(result.layers[place].reordered, model.reordered)
      // No limit.
      result.layers[place].latency = 0
    }
    return result
  }

  package func write(to writer: inout BitWriter) {
    for layer in layers {
      writer.exponentialGolomb(layer.held)
      writer.exponentialGolomb(layer.reordered)
      writer.exponentialGolomb(layer.latency)
    }
  }
}
