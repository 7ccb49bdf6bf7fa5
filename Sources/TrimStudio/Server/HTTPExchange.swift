import LateMicroHTTPD

/// A request that waits for its answer; any thread may give it, once.
package final class HTTPExchange: Sendable {
  /// Of an exchange of libmicrohttpd's, whose functions any thread may call: a number, so that the
  /// compiler sees what is true.
  private let address: UInt

  /// - Parameter address: of an exchange that is handed over.
  init(address: UInt) { self.address = address }

  deinit { trim_http_release(exchange) }

  private var exchange: OpaquePointer? { OpaquePointer(bitPattern: address) }

  package func answer(_ response: HTTPResponse) {
    let status = UInt32(response.status)
    CFields.with(response.fields) { fields, count in
      switch response.body {
      case .bytes(let bytes):
        trim_http_reply(exchange, status, fields, count, bytes, bytes.count)
      case .file(let descriptor, let offset, let size):
        trim_http_reply_file(exchange, status, fields, count, descriptor, offset, size)
      }
    }
  }

  /// Begins an answer that goes on until ``end()``.
  package func answerStream(_ fields: [(name: String, value: String)]) {
    CFields.with(fields) { fields, count in trim_http_reply_stream(exchange, fields, count) }
  }

  /// - Returns: false where the client has gone, or reads so slowly that too much waits for it.
  package func send(_ bytes: [UInt8]) -> Bool {
    trim_http_send(exchange, bytes, bytes.count, Self.mostWaiting) == 0
  }

  package func end() { trim_http_end(exchange) }

  private static let mostWaiting = 1 << 20
}

/// Names and values as C has them, for as long as a call takes.
private enum CFields {
  static func with(
    _ fields: [(name: String, value: String)],
    _ body: (UnsafePointer<trim_http_field>?, Int) -> Void
  ) {
    var bytes: [CChar] = []
    var places: [(name: Int, value: Int)] = []
    for field in fields {
      let name = bytes.count
      bytes += field.name.utf8CString
      places.append((name, bytes.count))
      bytes += field.value.utf8CString
    }
    bytes.withUnsafeBufferPointer { text in
      let made = places.map { place in
        trim_http_field(
          name: text.baseAddress.map { $0 + place.name },
          value: text.baseAddress.map { $0 + place.value })
      }
      made.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }
}
