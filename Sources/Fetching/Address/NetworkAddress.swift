import Glibc

/// A numeric address of a machine.
package enum NetworkAddress: Sendable, Hashable {
  /// Four bytes.
  case four([UInt8])
  /// Sixteen bytes.
  case six([UInt8])

  /// - Parameter text: without brackets, zone, or the short forms of IPv4 (`127.1`).
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = .four(withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self = .six(withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .four(let bytes), .six(let bytes): bytes
    }
  }

  /// As RFC 5952 writes it, without brackets.
  package var text: String {
    var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    var bytes = bytes
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, &bytes, &written, socklen_t(written.count)) != nil else { return "?" }
    return String(
      decoding: written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
