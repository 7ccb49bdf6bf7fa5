/// Header fields of the user, such as credentials: sent to one server only, and never shown.
///
/// They are read from a file or a variable of the environment: an argument list is seen by everybody on the
/// machine.
package struct HeaderFields: Sendable, Hashable {
  /// The server that gets them; `nil` for that of the first address that is opened.
  package var origin: RemoteAddress.Origin?
  /// Lines "NAME: VALUE".
  package private(set) var lines: [String]

  /// Fields that the request itself needs (RFC 9110), or that decide where it goes.
  private static let own: Set = [
    "host", "range", "if-range", "accept-encoding", "connection", "content-length",
    "transfer-encoding", "te", "upgrade", "expect", "trailer", "proxy-authorization",
    "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "http2-settings",
  ]

  private static let mostBytes = 32 << 10

  /// - Parameter text: a field "NAME: VALUE" on each line; empty lines and those that begin with `#` are
  ///   skipped, and a line with an address names the server that gets them.
  /// - Throws: ``FetchFault``, which names the line by its number only.
  package init(_ text: [UInt8]) throws(FetchFault) {
    lines = []
    guard text.count <= Self.mostBytes else {
      throw FetchFault(.addressInvalid, "the header fields are longer than \(Self.mostBytes) bytes")
    }
    for (number, bytes) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    {
      let line = bytes.last == 13 ? bytes.dropLast() : bytes
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      if RemoteAddress.isMeant(by: Array(line)) {
        origin = try RemoteAddress(line).origin
        continue
      }
      let place = "line \(number + 1) of the header fields"
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy(Self.isOfToken)
      else { throw FetchFault(.addressInvalid, "\(place) is not NAME: VALUE") }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard !Self.own.contains(name), !name.hasPrefix(":") else {
        throw FetchFault(.addressInvalid, "\(place) is a field that trim sets itself")
      }
      let value = line[(colon + 1)...]
      // RFC 9110, 5.5.
      guard value.allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F }),
        value.contains(where: { $0 != 9 && $0 != 0x20 }),
        let whole = String(validating: line, as: UTF8.self)
      else { throw FetchFault(.addressInvalid, "\(place) has no value that can be sent") }
      lines.append(whole)
    }
  }

  /// RFC 9110, 5.6.2.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
