import Bitstreams

/// Moves AAC's channel configuration from the first frame into the decoder configuration.
///
/// The frame headers omit it, and a part that begins later would lack it (ISO 14496-3, 1.A.2.2 and
/// 4.4.1.1).
struct ChannelReframing: SampleReframing {
  let configuration: [UInt8]

  /// - Parameter frame: with its header; `nil` if the header states the channels, or the frame does
  ///   not.
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
