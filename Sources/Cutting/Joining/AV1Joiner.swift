import Bitstreams
import MediaFiles

/// AV1: every key frame comes with its sequence header, and temporal delimiters are removed, as
/// MP4 and Matroska require (AV1-ISOBMFF, 2.4).
struct AV1Joiner: EdgeJoiner {
  /// The source's sequence header, from av1C.
  private let headers: [UInt8]
  /// Whether encoded pictures, with their own headers, may precede.
  private var followsEncoded: Bool

  var configuration: [UInt8]? { nil }

  /// - Parameters:
  ///   - configuration: an av1C box, whose OBUs begin after four bytes.
  ///   - isBehind: another part comes before, which may have ended with encoded pictures.
  init(configuration: [UInt8], isBehind: Bool) {
    headers = Array(configuration.dropFirst(4))
    followsEncoded = isBehind
  }

  mutating func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    followsEncoded = true
    return OpenBitstreamUnits(bytes: bytes[...])
      .filter { $0.type != OpenBitstreamUnits.Unit.delimiter }.flatMap(\.bytes)
  }

  func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? {
    guard role == .entry, followsEncoded, !headers.isEmpty else { return nil }
    let packet = try bytes()
    let hasHeader = OpenBitstreamUnits(bytes: packet[...])
      .contains { $0.type == OpenBitstreamUnits.Unit.sequenceHeader }
    return hasHeader ? nil : headers + packet
  }
}
