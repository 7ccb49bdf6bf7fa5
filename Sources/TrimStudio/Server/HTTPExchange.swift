import LateMicroHTTPD

/// A request waiting for its response, which any thread may give, once.
package final class HTTPExchange: Sendable {
  /// The address of a libmicrohttpd exchange, whose functions may be called on any thread: a
  /// number, so that the compiler accepts it as sendable.
  private let address: UInt

  /// - Parameter address: the address of an exchange; ownership is transferred.
  init(address: UInt) { self.address = address }

  deinit { trim_http_release(exchange) }

  private var exchange: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// Lets its connection stay: it is not a stranger's anymore.
  package func admit() { trim_http_admit(exchange) }

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

  /// Begins a streamed response that continues until ``end()``.
  package func answerStream(_ fields: [(name: String, value: String)]) {
    CFields.with(fields) { fields, count in trim_http_reply_stream(exchange, fields, count) }
  }

  /// - Returns: `false` if the client is gone, or reads so slowly that too much data is queued.
  package func send(_ bytes: [UInt8]) -> Bool {
    trim_http_send(exchange, bytes, bytes.count, Self.mostWaiting) == 0
  }

  package func end() { trim_http_end(exchange) }

  private static let mostWaiting = 1 << 20
}

/// Names and values as C strings, for the duration of a call.
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
