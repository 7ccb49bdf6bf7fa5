package import Libav
package import MediaFacts

/// The header data of a stream, in a class because it is expensive to copy for every packet.
package final class ScannedTrack: Sendable {
  package let facts: LibavTrack
  package let kind: LibavTrack.Kind
  package let codec: Codec
  package let isEncrypted: Bool
  package let frameSize: Int

  package init(_ facts: LibavTrack) {
    self.facts = facts
    kind = facts.kind
    codec = facts.codec
    isEncrypted = facts.isEncrypted
    frameSize = facts.frameSize
  }
}
