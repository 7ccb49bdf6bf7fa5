/// What the bytes of a packet give away of damage, without being decoded.
///
/// A packet without a fault may still be damaged: one flipped bit of arithmetic coding yields other
/// pictures, not other structure. A packet with one is damaged for certain.
package struct PacketFault: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Parts do not fill the packet, or hold bytes that no encoder writes.
    case structure
    /// A header says what the standard or the stream's parameter sets rule out.
    case header
    /// A checksum differs.
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
