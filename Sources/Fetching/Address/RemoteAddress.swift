import SafeText

/// An `http` or `https` address of a file (RFC 3986; RFC 9110, 4.2).
package struct RemoteAddress: Sendable, Hashable {
  /// Who answers for an address (RFC 6454, 4).
  package struct Origin: Sendable, Hashable {
    package var isSecure: Bool
    /// In lower case; of IPv6 without brackets.
    package var host: String
    package var port: UInt16

    /// As in `Host`, and in messages.
    package var authority: String {
      let name = host.contains(":") ? "[\(host)]" : host
      return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
  }

  package var origin: Origin
  /// The path with the query, in ASCII; begins with `/`.
  package var target: String
  /// `name:password`, percent-decoded.
  package var userInfo: [UInt8]?

  /// Whether a name given as an input is such an address.
  package static func isMeant(by name: [UInt8]) -> Bool { scheme(of: name[...]) != nil }

  private static func scheme(of text: ArraySlice<UInt8>) -> (isSecure: Bool, length: Int)? {
    for (name, isSecure) in [("http://", false), ("https://", true)]
    where lowercased(text.prefix(name.utf8.count)) == Array(name.utf8) {
      return (isSecure, name.utf8.count)
    }
    return nil
  }

  /// - Throws: ``FetchFault`` of code `addressInvalid`.
  package init(_ text: some Collection<UInt8>) throws(FetchFault) {
    let text = Array(text)
    guard let scheme = Self.scheme(of: text[...]) else {
      throw Self.invalid("only http:// and https:// are fetched")
    }
    guard text.count <= Self.longest else {
      throw Self.invalid("it is longer than \(Self.longest) bytes")
    }
    guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Self.invalid("it contains a control character")
    }
    let rest = text[scheme.length...].prefix { $0 != UInt8(ascii: "#") }
    let end = rest.firstIndex { "/?\\".utf8.contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = Self.decoded(authority[..<at])
      authority = authority[(at + 1)...]
    }
    let (host, port) = try Self.parts(of: authority)
    origin = Origin(
      isSecure: scheme.isSecure, host: host, port: port ?? (scheme.isSecure ? 443 : 80))
    let path = Self.encoded(rest[end...])
    target = path.hasPrefix("/") ? path : "/" + path
  }

  /// The longest address, in bytes: servers accept 8000 (RFC 9112, 3).
  private static let longest = 8000

  private static func invalid(_ reason: String) -> FetchFault {
    FetchFault(.addressInvalid, "this is not an address that can be fetched: \(reason)")
  }

  private static func parts(
    of authority: ArraySlice<UInt8>
  ) throws(FetchFault) -> (host: String, port: UInt16?) {
    var host: ArraySlice<UInt8>
    var rest: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else {
        throw invalid("the bracket of its address is not closed")
      }
      host = authority[(authority.startIndex + 1)..<end]
      rest = authority[(end + 1)...]
      guard case .six? = NetworkAddress(String(decoding: host, as: UTF8.self)) else {
        throw invalid("what is in brackets is not an IPv6 address")
      }
    } else {
      host = authority.prefix { $0 != UInt8(ascii: ":") }
      rest = authority[host.endIndex...]
      // The root of all names is implied (RFC 1034, 3.1), and no certificate names it.
      if host.count > 1, host.last == UInt8(ascii: ".") { host = host.dropLast() }
      guard !host.isEmpty, host.count <= 253 else { throw invalid("it names no server") }
      guard host.allSatisfy(isOfName) else {
        throw FetchFault(
          .addressInvalid, "the name of its server contains a character that no such name has",
          hint: "Write an international name in its ASCII form (xn--…).")
      }
    }
    var port: UInt16?
    if !rest.isEmpty {
      guard rest.first == UInt8(ascii: ":") else { throw invalid("its port is not a number") }
      rest = rest.dropFirst()
      if !rest.isEmpty {
        guard rest.count <= 5, rest.allSatisfy({ (0x30...0x39).contains($0) }),
          let number = UInt16(String(decoding: rest, as: UTF8.self)), number > 0
        else { throw invalid("its port is not a number from 1 to 65535") }
        port = number
      }
    }
    return (String(decoding: lowercased(host), as: UTF8.self), port)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// What may stand in a path or a query (RFC 3986, 3.3 and 3.4) as it is, everything else escaped.
  private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if isOfName(byte) || "/?%!$&'()*+,;=:@~".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = Array("0123456789ABCDEF")
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return text
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var found: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.endIndex,
        let value = UInt8(
          String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
      {
        found.append(value)
        place += 3
      } else {
        found.append(bytes[place])
        place += 1
      }
    }
    return found
  }

  /// What is fetched: without credentials.
  package var text: String {
    "\(origin.isSecure ? "https" : "http")://\(origin.authority)\(target)"
  }

  private var path: Substring { target.prefix { $0 != "?" } }

  /// How it is shown everywhere: without query and credentials, which may be secrets.
  package var shown: String {
    let place = "\(origin.isSecure ? "https" : "http")://\(origin.authority)\(path)"
    return ForeignText.shown(path.utf8.count == target.utf8.count ? place : place + "?…")
  }

  /// The last part of the path, as a name for files.
  package var lastComponent: [UInt8] {
    Self.decoded(Array((path.split(separator: "/").last ?? "").utf8)[...])
  }

  /// Where a redirect leads (RFC 3986, 5.2.2).
  ///
  /// - Throws: ``FetchFault`` of code `addressInvalid` for any scheme but `http` and `https`.
  package func redirected(to reference: [UInt8]) throws(FetchFault) -> RemoteAddress {
    let bytes = reference[...]
    if Self.scheme(of: bytes) != nil { return try RemoteAddress(bytes) }
    let first = bytes.firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    if bytes[..<first].contains(UInt8(ascii: ":")) {
      throw FetchFault(
        .addressRefused,
        "the server redirects to something other than http:// or https://, which is refused")
    }
    let start = origin.isSecure ? "https:" : "http:"
    if bytes.starts(with: Array("//".utf8)) {
      return try RemoteAddress(Array(start.utf8) + bytes)
    }
    var moved = self
    moved.userInfo = nil
    let place = bytes.prefix { $0 != UInt8(ascii: "#") }
    guard !place.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Self.invalid("it contains a control character")
    }
    let relative = Self.encoded(place)
    if relative.isEmpty { return moved }
    if relative.hasPrefix("/") {
      moved.target = Self.withoutDots(relative)
    } else if relative.hasPrefix("?") {
      moved.target = path + relative
    } else {
      let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
      moved.target = Self.withoutDots(folder + relative)
    }
    guard moved.target.utf8.count <= Self.longest else {
      throw Self.invalid("it is longer than \(Self.longest) bytes")
    }
    return moved
  }

  /// RFC 3986, 5.2.4.
  private static func withoutDots(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (number, part) in parts.enumerated() {
      let isLast = number == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return "/" + kept.joined(separator: "/") + target[path.endIndex...]
  }
}
