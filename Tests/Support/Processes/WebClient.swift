import Glibc

/// A client that sends exactly the given bytes; every function blocks.
package struct WebClient: Sendable {
  package struct Reply: Sendable {
    package var status: Int
    /// Names in lower case.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
    package func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
  }

  package let port: UInt16

  package init(port: UInt16) { self.port = port }

  /// Sends bytes and reads until the server closes or goes silent.
  ///
  /// - Returns: `nil` if the server hung up without an answer.
  package func reply(to bytes: [UInt8], silence: Int = 2) throws -> Reply? {
    let connection = try open()
    try connection.send(bytes)
    return Self.parse(connection.readToEnd(silence: silence))
  }

  package func reply(to text: String, silence: Int = 2) throws -> Reply? {
    try reply(to: Array(text.utf8), silence: silence)
  }

  package func open() throws -> WebConnection { try WebConnection(port: port) }

  static func parse(_ bytes: [UInt8]) -> Reply? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("HTTP/1."), let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      return nil
    }
    let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
      .split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
    return Reply(status: status ?? 0, fields: fields, body: Array(bytes[head.upperBound...]))
  }
}

/// A connection to 127.0.0.1, closed with its last owner.
package final class WebConnection: Sendable {
  private let socket: Int32

  fileprivate init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) != 0 }
    }
    if failed { throw ScratchFolder.SystemFailure(call: "connect", number: errno) }
  }

  deinit { close(socket) }

  /// Bytes that the server no longer accepts are dropped.
  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The bytes received within so many seconds; empty at the end.
  package func read(silence: Int) -> [UInt8] {
    var limit = timeval(tv_sec: silence, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// True once the server has hung up.
  package func isClosed(within seconds: Int) -> Bool {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, 0) == 0 || errno == ECONNRESET
  }

  package func readToEnd(silence: Int) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let more = read(silence: silence)
      guard !more.isEmpty else { return all }
      all += more
    }
  }

  /// Reads until a text has arrived.
  package func read(until wanted: String, silence: Int = 2) -> String {
    var text = ""
    while !text.contains(wanted) {
      let more = read(silence: silence)
      guard !more.isEmpty else { break }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }
}
