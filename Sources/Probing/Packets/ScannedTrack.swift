import Bitstreams
package import Libav
package import MediaFacts

/// What packets are read by, of a stream's header: in a class because a track is expensive to copy for every packet.
package final class ScannedTrack: Sendable {
  package let facts: LibavTrack
  package let kind: LibavTrack.Kind
  package let codec: Codec
  package let isEncrypted: Bool
  package let frameSize: Int
  /// The size in bytes of a sample, all channels together, of PCM, the names of which contain the bit depth, and of
  /// DSD, of which each byte decodes to a sample; `nil` for other codecs.
  let sampleByteCount: Int?
  /// The frame length in samples of Windows Media Audio 1 and 2, whose times ASF states in milliseconds; `nil` for
  /// other codecs.
  let windowsMediaFrame: Int?
  /// Whether packets of such audio share frames.
  let sharesFrames: Bool

  package init(_ facts: LibavTrack) {
    self.facts = facts
    kind = facts.kind
    codec = facts.codec
    isEncrypted = facts.isEncrypted
    frameSize = facts.frameSize
    sampleByteCount = Self.sampleByteCount(of: facts)
    windowsMediaFrame = WindowsMediaAudio.frameLength(
      of: facts.codec, sampleRate: facts.sampleRate)
    sharesFrames = WindowsMediaAudio.sharesFrames(facts.codec, configuration: facts.extradata)
  }

  private static func sampleByteCount(of facts: LibavTrack) -> Int? {
    guard let channels = facts.channels, channels > 0 else { return nil }
    if facts.codec.isDSD { return channels }
    guard facts.codec.isPCM,
      let bits = Int(facts.codec.rawValue.dropFirst(5).prefix { $0.isNumber }), bits > 0,
      bits % 8 == 0
    else { return nil }
    return bits / 8 * channels
  }
}
