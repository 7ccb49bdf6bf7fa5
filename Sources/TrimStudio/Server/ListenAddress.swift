import Glibc

/// The local address that the studio listens on.
package struct ListenAddress: Sendable, Hashable {
  /// The address without the brackets that IPv6 has in a URL.
  package let digits: String
  private let isSix: Bool

  package static let loopback = ListenAddress(digits: "127.0.0.1", isSix: false)

  private init(digits: String, isSix: Bool) {
    self.digits = digits
    self.isSix = isSix
  }

  /// Returns `nil` for anything but a single numeric address.
  ///
  /// "All addresses" is not allowed: `Host` could then not be checked against it, which prevents
  /// DNS rebinding.
  ///
  /// - Parameter allowsAll: whether 0.0.0.0 is allowed nevertheless, since `Host` is checked against an
  ///   ``OuterAddress``.
  package init?(_ text: String, allowsAll: Bool = false) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      guard four.s_addr != 0 || allowsAll else { return nil }
      self.init(digits: text, isSix: false)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let bytes = withUnsafeBytes(of: six) { Array($0) }
      // IPv4-mapped addresses (RFC 4291, 2.5.5) could also mean all addresses.
      guard bytes.contains(where: { $0 != 0 }), bytes[..<12] != Self.mapped[...] else { return nil }
      // Browsers always write it in one form (RFC 5952), in the URL and in `Host`.
      var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      guard inet_ntop(AF_INET6, &six, &written, socklen_t(written.count)) != nil else { return nil }
      let digits = written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      self.init(digits: String(decoding: digits, as: UTF8.self), isSix: true)
    } else {
      return nil
    }
  }

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  /// The form used in a URL and in `Host`.
  package var host: String { isSix ? "[\(digits)]" : digits }

  /// Whether it stands for every address of this machine.
  package var isAll: Bool { digits == "0.0.0.0" }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool { digits.hasPrefix("127.") || digits == "::1" }
}
