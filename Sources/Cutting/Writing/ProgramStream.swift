import MediaFacts
import Trimming

/// An elementary stream of an MPEG program stream, and the IDs of its packets.
struct ProgramStream: Equatable {
  /// FFmpeg's name of the codec.
  let codec: Codec
  /// stream_id (ISO/IEC 13818-1, table 2-22).
  var id: UInt8
  /// The substream number in private_stream_1, as in DVD-Video.
  var privateID: UInt8?
  /// stream_type (table 2-34) for the map; FFmpeg takes MPEG audio in the map for layer 3, and for
  /// layer 2 if it is not listed.
  var type: UInt8?
  var kind: TrackKind

  /// - Returns: `nil` for a codec that is not supported there, or where all of its numbers are
  ///   taken.
  /// - Parameter others: the streams before it.
  init?(codec: Codec, kind: TrackKind, behind others: [ProgramStream]) {
    let rules = OutputContainer.mpegps.rules
    guard let (family, most) = rules.limits.mostTracks.first(where: { $0.key.contains(codec) }),
      let first = Self.firstNumber(of: codec)
    else { return nil }
    let taken = others.count { family.contains($0.codec) }
    guard taken < most else { return nil }
    let isPrivate = first < 0xC0
    id = isPrivate ? 0xBD : first + UInt8(taken)
    privateID = isPrivate ? first + UInt8(taken) : nil
    self.kind = kind
    self.codec = codec
    type =
      switch codec {
      case .mpeg1Video: 1
      case .mpeg2Video: 2
      case .mp3: 3
      default: nil
      }
  }

  private static func firstNumber(of codec: Codec) -> UInt8? {
    switch codec {
    case .mpeg1Video, .mpeg2Video: 0xE0
    case .mp2, .mp3: 0xC0
    case .ac3: 0x80
    case .dts: 0x88
    default: nil
    }
  }

  /// The prefix of a packet's content in private_stream_1: substream number, number of frames that
  /// begin in it, and the offset of the first.
  func prefix(begins: Bool) -> [UInt8] {
    guard let privateID else { return [] }
    return [privateID, begins ? 1 : 0, 0, begins ? 1 : 0]
  }
}
