package import MediaFacts

/// Determines the presentation order of pictures from the bitstream only: for containers without
/// presentation times, such as AVI and raw streams.
package struct PictureOrder {
  /// What a packet shows.
  package enum Content: Hashable {
    case picture(Place)
    /// A placeholder, or a picture that no decoder shows.
    case nothing
    /// The packet is not understood.
    case unknown
  }

  /// A picture's place in presentation order: all pictures of an earlier sequence precede it.
  package struct Place: Hashable, Comparable {
    package var sequence: Int64
    package var order: Int64

    package static func < (first: Place, second: Place) -> Bool {
      (first.sequence, first.order) < (second.sequence, second.order)
    }
  }

  private enum Reader {
    case h264(H264PictureOrder)
    case hevc(HEVCPictureOrder)
    case mpeg(MPEGPictureOrder)
  }

  private var reader: Reader

  /// - Parameters:
  ///   - configuration: the stream's parameter sets, where they are not in its packets.
  ///   - countsSkipped: whether HEVC leading pictures that no decoder shows also have a place.
  /// - Returns: `nil` for codecs that are unknown here, or do not reorder.
  package init?(codec: Codec, configuration: [UInt8], countsSkipped: Bool = false) {
    switch codec {
    case .h264: reader = .h264(H264PictureOrder(configuration: configuration))
    case .hevc:
      reader = .hevc(
        HEVCPictureOrder(configuration: configuration, countsSkipped: countsSkipped))
    case .mpeg4: reader = .mpeg(MPEGPictureOrder(isPart2: true))
    case .mpeg2Video, .mpeg1Video: reader = .mpeg(MPEGPictureOrder(isPart2: false))
    default: return nil
    }
  }

  /// Whether a picture that waits for others is shown when the next such picture is decoded.
  package static func waitsForOne(codec: Codec) -> Bool {
    codec.isOne(of: .mpeg1Video, .mpeg2Video, .mpeg4, .vc1)
  }

  /// The content of the next packet in decode order.
  package mutating func add(_ packet: ArraySlice<UInt8>) -> Content {
    switch reader {
    case .h264(var state):
      defer { reader = .h264(state) }
      return state.add(packet)
    case .hevc(var state):
      defer { reader = .hevc(state) }
      return state.add(packet)
    case .mpeg(var state):
      defer { reader = .mpeg(state) }
      return state.add(packet)
    }
  }
}

/// MPEG-1, MPEG-2 and MPEG-4 part 2: a B picture is shown when it is decoded, any other when the
/// next non-B picture is (ISO 13818-2, 6.1.1.11; ISO 14496-2, 6.1.3.5).
private struct MPEGPictureOrder {
  private let isPart2: Bool
  private var references: Int64 = 0
  private var between: Int64 = 0

  init(isPart2: Bool) { self.isPart2 = isPart2 }

  mutating func add(_ packet: ArraySlice<UInt8>) -> PictureOrder.Content {
    guard !packet.isEmpty else { return .nothing }
    guard let type = MPEGPictureType(firstIn: packet, isPart2: isPart2) else { return .unknown }
    if type == .bidirectional {
      between += 1
      return .picture(PictureOrder.Place(sequence: references, order: between - .max / 2))
    }
    references += 1
    between = 0
    return .picture(PictureOrder.Place(sequence: references, order: 0))
  }
}
