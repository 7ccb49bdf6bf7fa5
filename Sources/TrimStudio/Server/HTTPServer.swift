import LateMicroHTTPD
import Synchronization

/// A web server on one address, on its own threads.
package final class HTTPServer: Sendable {
  /// Called on the server's threads, which it must not block.
  package typealias Handler = @Sendable (HTTPRequest, HTTPExchange) -> Void

  /// The limits for one client, or all of them.
  package struct Limits: Sendable {
    package var connections = 256
    /// Connections without an admitted request; the oldest gives way to a new one.
    package var strangers = 64
    /// Bytes.
    package var head = 32 << 10
    package var body = 64 << 10
    /// Seconds that a connection may last without an admitted request.
    package var requestSeconds = 5
    /// Seconds after which a silent connection of an admitted client is closed.
    package var silenceSeconds = 120

    package init() {}
  }

  package struct Failure: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  private struct Handle: ~Copyable {
    let server: OpaquePointer
    let receiver: Unmanaged<Receiver>

    deinit {
      trim_http_stop(server)
      receiver.release()
    }
  }

  fileprivate final class Receiver: Sendable {
    let handler: Handler

    init(_ handler: @escaping Handler) { self.handler = handler }
  }

  /// The installed version of libmicrohttpd; `nil` if it cannot be loaded.
  package static var libraryVersion: String? {
    var message = [CChar](repeating: 0, count: 400)
    return trim_http_library_version(&message, message.count).map { String(cString: $0) }
  }

  private let handle: Mutex<Handle?>
  package let port: UInt16

  /// - Parameter port: 0 for any free one.
  /// - Throws: ``Failure`` if the library is missing, the port is taken, or the address is not local to this
  ///   machine.
  package init(
    on address: ListenAddress = .loopback, port: UInt16, limits: Limits = Limits(),
    handler: @escaping Handler
  ) throws(Failure) {
    var bounds = trim_http_limits()
    bounds.port = port
    bounds.connections = UInt32(limits.connections)
    bounds.strangers = UInt32(limits.strangers)
    bounds.head_limit = limits.head
    bounds.body_limit = limits.body
    bounds.request_seconds = UInt32(limits.requestSeconds)
    bounds.silence_seconds = UInt32(limits.silenceSeconds)
    let receiver = Unmanaged.passRetained(Receiver(handler))
    var message = [CChar](repeating: 0, count: 400)
    guard
      let server = trim_http_start(
        address.digits, &bounds, receive, receiver.toOpaque(), &message, message.count)
    else {
      receiver.release()
      let text = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      throw Failure(description: String(decoding: text, as: UTF8.self))
    }
    self.port = trim_http_port(server)
    handle = Mutex(Handle(server: server, receiver: receiver))
  }

  /// Disconnects clients that take too long to send a request; must be called about every second.
  package func sweep() {
    handle.withLock { handle in
      if let server = handle?.server { trim_http_sweep(server) }
    }
  }

  /// Ends every exchange; no request is delivered afterwards.
  package func stop() { handle.withLock { $0 = nil } }
}

private func receive(
  _ context: UnsafeMutableRawPointer?, _ exchange: OpaquePointer?,
  _ request: UnsafePointer<trim_http_request>?
) {
  guard let exchange else { return }
  let answerable = HTTPExchange(address: UInt(bitPattern: exchange))
  guard let context, let request = request?.pointee else { return }
  Unmanaged<HTTPServer.Receiver>.fromOpaque(context).takeUnretainedValue()
    .handler(HTTPRequest(request), answerable)
}

extension HTTPRequest {
  /// Invalid UTF-8 is repaired, and then refused in its repaired form.
  fileprivate init(_ request: trim_http_request) {
    let fields = UnsafeBufferPointer(start: request.fields, count: request.field_count)
    self.init(
      String(cString: request.method), String(cString: request.target),
      fields: fields.map { Field(String(cString: $0.name), String(cString: $0.value)) },
      body: Array(UnsafeBufferPointer(start: request.body, count: request.body_size)))
  }
}
