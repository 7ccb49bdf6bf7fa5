#if FFmpeg
  import Bitstreams

  /// H.264 of which every frame is re-encoded: with the encoder's own parameter sets.
  struct H264OwnJoiner: EdgeJoiner {
    private let source: H264Sets
    private let framing: Framing
    private(set) var configuration: [UInt8]?
    var takesShownPictures: Bool { true }

    init(source: H264Sets, framing: Framing) {
      self.source = source
      self.framing = framing
    }

    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] {
      let sets = H264Sets(configuration: configuration)
      var units = NALUnits(bytes: bytes[...], framing: .annexB).map { Array($0) }
        .filter { !(6...9).contains(($0.first ?? 0) & 0x1F) }
      if case .annexB = framing {
        if role == .first { units = sets.sequenceUnits + sets.pictureUnits + units }
      } else if self.configuration == nil {
        self.configuration = source.box(
          sequences: sets.sequenceUnits, pictures: sets.pictureUnits)
      }
      return framing.pack(units)
    }

    func copied(
      _ bytes: () throws(CutError) -> [UInt8], isEntry: Bool
    ) throws(CutError) -> [UInt8]? { nil }
  }
#endif
