import Bitstreams
import MediaFiles

/// H.264 in which every frame is re-encoded, with the encoder's own parameter sets.
struct H264OwnJoiner: EdgeJoiner {
  private let source: H264Sets
  private let framing: Framing
  /// Stated reorder delay in pictures, although none is reordered.
  private let waiting: Int
  /// Parameter sets are repeated in-band at every entry point.
  private let repeatsSets: Bool
  private(set) var configuration: [UInt8]?
  var takesShownPictures: Bool { true }

  init(source: H264Sets, framing: Framing, waiting: Int = 0, keepsSets: Bool = false) {
    repeatsSets = keepsSets || framing == .annexB
    self.source = source
    self.framing = framing
    self.waiting = waiting
  }

  mutating func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    let sets = H264Sets(configuration: configuration)
    var units = NALUnits(bytes: bytes[...], framing: .annexB).map { Array($0) }
      .filter { !(6...9).contains(($0.first ?? 0) & 0x1F) }
    if repeatsSets {
      if role == .first { units = sequences(sets) + sets.pictureUnits + units }
    } else if self.configuration == nil {
      self.configuration = source.box(
        sequences: sequences(sets), pictures: sets.pictureUnits)
    }
    return framing.pack(units)
  }

  private func sequences(_ sets: H264Sets) -> [[UInt8]] {
    guard waiting > 0 else { return sets.sequenceUnits }
    return sets.sequenceUnits.map { H264SPS($0)?.waiting(for: waiting) ?? $0 }
  }

  func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? { nil }
}
