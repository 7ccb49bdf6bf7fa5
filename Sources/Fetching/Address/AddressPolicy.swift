/// Which addresses may be reached: the only place that decides it.
package struct AddressPolicy: Sendable, Hashable {
  /// Whether loopback, private and link-local addresses may be reached too.
  package var allowsPrivateNetworks: Bool

  package init(allowsPrivateNetworks: Bool = false) {
    self.allowsPrivateNetworks = allowsPrivateNetworks
  }

  /// Why an address is refused.
  package struct Refusal: Sendable, Hashable {
    /// What kind of address it is, such as "a loopback address".
    package var kind: String
    /// The document that says so.
    package var rule: String
    /// Whether ``AddressPolicy/allowsPrivateNetworks`` allows it.
    package var isPrivate: Bool
  }

  /// - Returns: `nil` where it may be reached.
  package func refusal(of address: NetworkAddress) -> Refusal? {
    guard let known = Self.special(address) else { return nil }
    return known.isPrivate && allowsPrivateNetworks ? nil : known
  }

  /// What an address is that is not one of the public Internet (IANA's registries of special-purpose
  /// addresses, RFC 6890); `nil` for all others.
  private static func special(_ address: NetworkAddress) -> Refusal? {
    if isMetadata(address) { return metadata }
    switch address {
    case .four(let bytes): return blocks4.first { $0.contains(bytes) }?.refusal
    case .six(let bytes):
      if let inner = embedded(in: bytes) { return special(.four(inner)) }
      if let block = blocks6.first(where: { $0.contains(bytes) }) { return block.refusal }
      // Only 2000::/3 is given to networks (RFC 4291, 2.4; IANA's registry of address space).
      return bytes[0] & 0xE0 == 0x20 ? nil : reserved("RFC 4291, 2.4")
    }
  }

  /// The IPv4 address to which an IPv6 address leads.
  private static func embedded(in bytes: [UInt8]) -> [UInt8]? {
    // Mapped (RFC 4291, 2.5.5.2) and NAT64 (RFC 6052, 2.1).
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
      || bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
    {
      return Array(bytes[12...])
    }
    // 6to4 (RFC 3056, 2).
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    // ISATAP (RFC 5214, 6.1), where the prefix itself is not a special one.
    let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11] == [0, 0x5E, 0xFE]
    return isISATAP && bytes[0] & 0xE0 == 0x20 ? Array(bytes[12...]) : nil
  }

  /// Where clouds hand out the credentials of a machine: never media.
  private static func isMetadata(_ address: NetworkAddress) -> Bool {
    [
      // Amazon, Google, Azure and most others; Amazon's containers.
      .four([169, 254, 169, 254]), .four([169, 254, 170, 2]), .four([169, 254, 170, 23]),
      // Azure's host, Alibaba, and Oracle.
      .four([168, 63, 129, 16]), .four([100, 100, 100, 200]), .four([192, 0, 0, 192]),
      // fd00:ec2::254 and fd00:ec2::23 (Amazon), fd20:ce::254 (Google).
      .six([0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54]),
      .six([0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x23]),
      .six([0xFD, 0x20, 0, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54]),
    ].contains(address)
  }

  private static let metadata = Refusal(
    kind: "the metadata service of a cloud", rule: "RFC 3927", isPrivate: false)

  private static func reserved(_ rule: String) -> Refusal {
    Refusal(kind: "a reserved address", rule: rule, isPrivate: false)
  }

  private struct Block {
    let prefix: [UInt8]
    let bits: Int
    let refusal: Refusal

    init(_ prefix: [UInt8], _ bits: Int, _ kind: String, _ rule: String, isPrivate: Bool = false) {
      self.prefix = prefix
      self.bits = bits
      refusal = Refusal(kind: kind, rule: rule, isPrivate: isPrivate)
    }

    func contains(_ bytes: [UInt8]) -> Bool {
      (0..<(bits + 7) / 8).allSatisfy { place in
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, bits - place * 8))
        let wanted = place < prefix.count ? prefix[place] : 0
        return bytes[place] & mask == wanted
      }
    }
  }

  private static let documentation = "an address for documentation"
  private static let multicast = "a multicast address"
  private static let privateNetwork = "an address of a private network"

  private static let blocks4 = [
    Block([0], 8, "the address of no machine", "RFC 791, 3.2"),
    Block([10], 8, privateNetwork, "RFC 1918, 3", isPrivate: true),
    Block([100, 64], 10, "an address behind a carrier's NAT", "RFC 6598, 7", isPrivate: true),
    Block([127], 8, "a loopback address", "RFC 1122, 3.2.1.3", isPrivate: true),
    Block([169, 254], 16, "a link-local address", "RFC 3927, 2.1", isPrivate: true),
    Block([172, 16], 12, privateNetwork, "RFC 1918, 3", isPrivate: true),
    Block([192, 0, 0], 24, "a reserved address", "RFC 6890, 2.1"),
    Block([192, 0, 2], 24, documentation, "RFC 5737, 3"),
    Block([192, 88, 99], 24, "a reserved address", "RFC 7526, 4"),
    Block([192, 168], 16, privateNetwork, "RFC 1918, 3", isPrivate: true),
    Block([198, 18], 15, "an address for benchmarks", "RFC 2544, C.2.2", isPrivate: true),
    Block([198, 51, 100], 24, documentation, "RFC 5737, 3"),
    Block([203, 0, 113], 24, documentation, "RFC 5737, 3"),
    Block([224], 4, multicast, "RFC 1112, 4"),
    Block([255, 255, 255, 255], 32, "the broadcast address", "RFC 919, 7"),
    Block([240], 4, "a reserved address", "RFC 1112, 4"),
  ]

  private static let blocks6 = [
    Block([], 128, "the address of no machine", "RFC 4291, 2.5.2"),
    Block(
      Array(repeating: 0, count: 15) + [1], 128, "a loopback address", "RFC 4291, 2.5.3",
      isPrivate: true),
    Block([], 96, "a reserved address", "RFC 4291, 2.5.5.1"),
    Block([0, 0x64, 0xFF, 0x9B, 0, 1], 48, privateNetwork, "RFC 8215, 3", isPrivate: true),
    // With 2001::/32, Teredo, which hides another address (RFC 4380, 4).
    Block([0x20, 0x01], 23, "a reserved address", "RFC 2928, 2"),
    Block([0x20, 0x01, 0x0D, 0xB8], 32, documentation, "RFC 3849, 2"),
    Block([0x3F, 0xFF], 20, documentation, "RFC 9637, 3"),
    Block([0xFC], 7, privateNetwork, "RFC 4193, 3.1", isPrivate: true),
    Block([0xFE, 0x80], 10, "a link-local address", "RFC 4291, 2.5.6", isPrivate: true),
    Block([0xFE, 0xC0], 10, privateNetwork, "RFC 3879, 4", isPrivate: true),
    Block([0xFF], 8, multicast, "RFC 4291, 2.7"),
  ]
}
