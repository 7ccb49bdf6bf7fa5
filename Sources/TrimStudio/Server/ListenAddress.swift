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
      guard withUnsafeBytes(of: six, { $0.contains { $0 != 0 } }) else { return nil }
      self.init(digits: text.lowercased(), isSix: true)
    } else {
      return nil
    }
  }

  /// As it stands in a URL and in `Host`.
  package var host: String { isSix ? "[\(digits)]" : digits }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool { digits.hasPrefix("127.") || digits == "::1" }
}
