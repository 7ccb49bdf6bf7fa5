import Bitstreams

/// Moves what tells the channels of AAC from the first frame into the configuration.
///
/// The headers of the frames leave it out, and a part that begins later would have none
/// (ISO 14496-3, 1.A.2.2 and 4.4.1.1).
struct ChannelReframing: SampleReframing {
  let configuration: [UInt8]

  /// - Parameter frame: with its header; `nil` where that tells the channels, or the frame does not.
  init?(adts frame: [UInt8]) {
    guard let header = ADTSHeader(frame), header.channels == 0, header.isOneFrame,
      let described = AACProgramConfig(frame: frame.dropFirst(header.byteCount))
    else { return nil }
    configuration = described.audioSpecificConfig(header)
  }

  func sample(_ bytes: [UInt8]) -> [UInt8] {
    guard let header = ADTSHeader(bytes), header.isOneFrame else { return bytes }
    return Array(AACProgramConfig.left(of: bytes.dropFirst(header.byteCount)))
  }
}
