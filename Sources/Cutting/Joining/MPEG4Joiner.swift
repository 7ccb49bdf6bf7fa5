import Bitstreams
import MediaFacts
import MediaFiles

/// MPEG-4 part 2 (ISO 14496-2): the copied run begins with the source's own headers, since it
/// follows those of the encoder.
struct MPEG4Joiner: EdgeJoiner {
  private let headers: [UInt8]
  /// Whether encoded pictures, with their own headers, may precede.
  private var followsEncoded: Bool
  /// Headers are only in the stream: decoding can start where they are (6.2.1).
  private let repeatsHeaders: Bool

  var configuration: [UInt8]? { nil }

  /// - Parameter isBehind: another part comes before, which may have ended with encoded pictures.
  init(headers: [UInt8], isBehind: Bool, repeatsHeaders: Bool) {
    self.headers = headers
    self.repeatsHeaders = repeatsHeaders
    followsEncoded = isBehind
  }

  mutating func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    followsEncoded = true
    return bytes
  }

  func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? {
    guard role == .entry && followsEncoded || role != .following && repeatsHeaders else {
      return nil
    }
    let packet = try bytes()
    let hasHeaders = StartCodes.first(in: packet) { (0x20...0x2F).contains($0) } != nil
    return hasHeaders ? nil : headers + packet
  }
}
