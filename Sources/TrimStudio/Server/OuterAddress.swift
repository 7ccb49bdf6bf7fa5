/// What browsers call the studio where something else forwards to it: the port of a container, or a
/// tunnel.
package struct OuterAddress: Sendable, Hashable {
  /// The name or number as in a URL and in `Host`, in lower case.
  package let host: String
  /// `nil` for the port that the studio listens on.
  package let port: UInt16?

  /// Returns `nil` for anything but a host name (RFC 952, RFC 1123, 2.1), an IPv4 address, or an IPv6 address in
  /// brackets, each with or without a port.
  package init?(_ text: String) {
    let text = text.lowercased()
    let end: String.Index
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]"),
        let six = ListenAddress(String(text[..<close].dropFirst())), six.host.hasPrefix("[")
      else { return nil }
      host = six.host
      end = text.index(after: close)
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
      host = String(text[..<end])
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      guard (1...253).contains(host.utf8.count), host != "0.0.0.0",
        labels.allSatisfy({ label in
          (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        })
      else { return nil }
    }
    guard end < text.endIndex else {
      port = nil
      return
    }
    let digits = text[end...].dropFirst()
    guard text[end] == ":", (1...5).contains(digits.utf8.count),
      digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = UInt16(digits), number > 0
    else { return nil }
    port = number
  }

  /// Whether browsers reach it on the machine that they run on.
  package var isLoopback: Bool {
    host.hasPrefix("127.") && ListenAddress(host) != nil || host == "localhost" || host == "[::1]"
  }
}
