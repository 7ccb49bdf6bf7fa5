import MediaFacts

/// A stream of an MPEG program stream: by which numbers its packets are known, and how much of it waits.
struct ProgramStream: Equatable {
  /// stream_id (ISO/IEC 13818-1, table 2-22).
  var id: UInt8
  /// Of what stands in private_stream_1: the number of the stream there, as DVD-Video has it.
  var privateID: UInt8?
  /// stream_type (table 2-34) of what is in the map; FFmpeg takes sound of MPEG for layer 3 there, and for layer 2
  /// where nothing is said of it.
  var type: UInt8?
  var kind: TrackKind
  /// P-STD_buffer_size in bytes (2.5.2.4).
  var bufferByteCount: Int

  /// - Returns: `nil` for a codec that has no place there, or where all of its numbers are taken.
  /// - Parameter others: the streams before it.
  init?(codec: String, kind: TrackKind, behind others: [ProgramStream]) {
    let first: UInt8
    var most = 8
    switch codec {
    case "mpeg1video", "mpeg2video":
      (first, most) = (0xE0, 16)
      type = codec == "mpeg1video" ? 1 : 2
    case "mp2", "mp3":
      (first, most) = (0xC0, 32)
      type = codec == "mp3" ? 3 : nil
    case "ac3": first = 0x80
    case "dts": first = 0x88
    default: return nil
    }
    let isPrivate = first < 0xC0
    let taken = others.count { ($0.privateID ?? $0.id) & ~UInt8(most - 1) == first }
    guard taken < most else { return nil }
    id = isPrivate ? 0xBD : first + UInt8(taken)
    privateID = isPrivate ? first + UInt8(taken) : nil
    self.kind = kind
    bufferByteCount = 0
  }

  /// What stands before the content of a packet in private_stream_1: the number of the stream, how many frames begin in
  /// it, and where the first of these does.
  func prefix(begins: Bool) -> [UInt8] {
    guard let privateID else { return [] }
    return [privateID, begins ? 1 : 0, 0, begins ? 1 : 0]
  }
}
