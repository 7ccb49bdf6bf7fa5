/// Damage to a packet that is detectable without decoding it.
///
/// A packet without a fault may still be damaged: a flipped bit in arithmetic-coded data changes
/// pictures, not structure. A packet with a fault is certainly damaged.
package struct PacketFault: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Parts do not fill the packet, or contain bytes that no encoder writes.
    case structure
    /// A header violates the standard or the stream's parameter sets.
    case header
    /// A checksum does not match.
    case checksum
  }

  package var kind: Kind
  /// A few words for people: `a unit is longer than its sample`.
  package var text: String

  package static func structure(_ text: String) -> PacketFault {
    PacketFault(kind: .structure, text: text)
  }
  package static func header(_ text: String) -> PacketFault {
    PacketFault(kind: .header, text: text)
  }
  package static func checksum(_ text: String) -> PacketFault {
    PacketFault(kind: .checksum, text: text)
  }
}
