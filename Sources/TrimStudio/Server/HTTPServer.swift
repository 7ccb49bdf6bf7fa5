import LateMicroHTTPD
import Synchronization

/// A web server on one address, on threads of its own.
package final class HTTPServer: Sendable {
  /// Called on the server's threads, which it must not keep waiting.
  package typealias Handler = @Sendable (HTTPRequest, HTTPExchange) -> Void

  /// How much one client, or many, may ask for.
  package struct Limits: Sendable {
    package var connections = 256
    /// Bytes.
    package var head = 32 << 10
    package var body = 64 << 10
    /// Seconds in which a request must have come.
    package var requestSeconds = 10
    /// Seconds after which a connection that is silent ends.
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

  /// The version of libmicrohttpd here; `nil` where it cannot be loaded.
  package static var libraryVersion: String? {
    var message = [CChar](repeating: 0, count: 400)
    return trim_http_library_version(&message, message.count).map { String(cString: $0) }
  }

  private let handle: Mutex<Handle?>
  package let port: UInt16

  /// - Parameter port: 0 for one that is free.
  /// - Throws: ``Failure`` where the library is missing, the port is taken, or the address is not one of
  ///   this machine.
  package init(
    on address: ListenAddress = .loopback, port: UInt16, limits: Limits = Limits(),
    handler: @escaping Handler
  ) throws(Failure) {
    var bounds = trim_http_limits()
    bounds.port = port
    bounds.connections = UInt32(limits.connections)
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

  /// Cuts off clients that take too long to say what they want; to be called every second or so.
  package func sweep() {
    handle.withLock { handle in
      if let server = handle?.server { trim_http_sweep(server) }
    }
  }

  /// Ends every exchange; no request is handed on afterwards.
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
  /// Text that is not UTF-8 is repaired, and then refused as what it has become.
  fileprivate init(_ request: trim_http_request) {
    let fields = UnsafeBufferPointer(start: request.fields, count: request.field_count)
    self.init(
      String(cString: request.method), String(cString: request.target),
      fields: fields.map { Field(String(cString: $0.name), String(cString: $0.value)) },
      body: Array(UnsafeBufferPointer(start: request.body, count: request.body_size)))
  }
}
