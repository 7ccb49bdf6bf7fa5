/// The first fields of an H.264 slice header (7.3.3).
struct H264Slice: Hashable, Sendable {
  var prediction: CodedPicture.Prediction
  var pictureSet: Int
  var structure: CodedPicture.Structure?

  /// - Parameter sequence: the sequence parameter set of a picture parameter set's number; without
  ///   it the slice is read only as far as it is needless.
  init?(_ payload: [UInt8], sequence: (Int) -> H264SequenceSet?) {
    var bits = BitReader(payload[...])
    guard (try? bits.ue()) != nil, let type = try? bits.ue(upTo: 9),
      let set = try? bits.ue(upTo: 255)
    else { return nil }
    switch type % 5 {
    case 0, 3: prediction = .forward
    case 1: prediction = .bidirectional
    default: prediction = .intra
    }
    pictureSet = set
    structure = sequence(set).flatMap { try? Self.structure(&bits, $0) }
  }

  private static func structure(
    _ bits: inout BitReader, _ sequence: H264SequenceSet
  ) throws(MalformedBits) -> CodedPicture.Structure {
    if sequence.hasOnlyFrames { return .frame }
    if sequence.hasSeparatePlanes { try bits.skip(2) }
    try bits.skip(sequence.frameNumberBits)
    guard try bits.flag() else { return sequence.hasAdaptiveFrames ? .adaptiveFrame : .frame }
    return try bits.flag() ? .bottomField : .topField
  }
}
