#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address of this machine that the studio listens on.
package struct ListenAddress: Sendable, Hashable {
  /// Without the brackets that an IPv6 address has in a URL.
  package let digits: String
  private let isSix: Bool

  package static let loopback = ListenAddress(digits: "127.0.0.1", isSix: false)

  private init(digits: String, isSix: Bool) {
    self.digits = digits
    self.isSix = isSix
  }

  /// `nil` for what is not one address in digits; "all addresses" is not: `Host` could then not be
  /// held against it, which keeps names that others own from leading here.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      guard four.s_addr != 0 else { return nil }
      self.init(digits: text, isSix: false)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let bytes = withUnsafeBytes(of: six) { Array($0) }
      // Those of IPv4 in other clothes (RFC 4291, 2.5.5) would stand for all addresses too.
      guard bytes.contains(where: { $0 != 0 }), bytes[..<12] != Self.mapped[...] else { return nil }
      // Browsers write it in one way only (RFC 5952), in the address and in `Host`.
      var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      guard inet_ntop(AF_INET6, &six, &written, socklen_t(written.count)) != nil else { return nil }
      let digits = written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      self.init(digits: String(decoding: digits, as: UTF8.self), isSix: true)
    } else {
      return nil
    }
  }

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  /// As it stands in a URL and in `Host`.
  package var host: String { isSix ? "[\(digits)]" : digits }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool { digits.hasPrefix("127.") || digits == "::1" }
}
