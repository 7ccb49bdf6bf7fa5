import CSystem
import Glibc
import JSON
import LateCurl

/// The work of the process that fetches: it asks for what it is told to, through connections that it is
/// handed, and passes on what comes.
///
/// Neither names nor addresses are its business, nor what an answer means.
final class FetchLoop {
  /// Answers that belong to no request: only for tests.
  typealias Added = @Sendable (String) -> [(String, String)]?

  private let input: Int32
  private let output: Int32
  private let added: Added
  private var pool: OpaquePointer?
  private var reader = EngineMessage.Reader()
  private var sockets: [Int32] = []
  /// The requests, with the heads that are arriving.
  private var heads: [UInt64: (request: WireRequest, head: WireHead)] = [:]
  private var isBroken = false

  init(input: Int32, output: Int32, added: @escaping Added = { _ in nil }) {
    self.input = input
    self.output = output
    self.added = added
  }

  /// Loads libcurl and what it needs.
  ///
  /// - Returns: why that failed.
  func load() -> String? {
    guard let certificates = TrustedCertificates.bytes() else {
      return "no certificates are installed (package ca-certificates)"
    }
    var listener = trim_curl_listener()
    listener.context = Unmanaged.passUnretained(self).toOpaque()
    listener.line = { context, id, bytes, size in
      FetchLoop.of(context)?.heard(
        line: Array(UnsafeBufferPointer(start: bytes, count: size)), of: id)
    }
    listener.body = { context, id, bytes, size in
      FetchLoop.of(context)?.heard(
        body: Array(UnsafeBufferPointer(start: bytes, count: size)), of: id)
    }
    listener.end = { context, id, result, isSecond, text in
      FetchLoop.of(context)?.ended(
        id, result, isSecond != 0, text.map { String(cString: $0) } ?? "")
    }
    var message = [CChar](repeating: 0, count: 400)
    pool = trim_curl_make_pool(
      certificates, certificates.count, &listener, &message, message.count)
    guard pool == nil else { return nil }
    return String(
      decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    if let pool { trim_curl_free_pool(pool) }
    for socket in sockets { close(socket) }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FetchLoop? {
    context.map { Unmanaged<FetchLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  static var library: FetchLibrary {
    let found = trim_curl_version()
    return FetchLibrary(
      version: found.version.map { String(cString: $0) } ?? "unknown",
      tls: found.tls.map { String(cString: $0) }, hasHTTP2: found.has_second_version != 0)
  }

  /// Works until nobody is at the other end.
  func run() {
    guard let pool else { return }
    while !isBroken {
      guard trim_curl_go_on(pool, input, 60_000) != 0 else { continue }
      guard receive() else { return }
      do {
        while let message = try reader.next() { handle(message, pool) }
      } catch {
        return
      }
    }
  }

  private func receive() -> Bool {
    var found = [Int32](repeating: -1, count: Int(TRIM_MOST_DESCRIPTORS))
    var count: Int32 = 0
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self)
      guard let base = bytes.baseAddress else { return false }
      let received = trim_receive(input, base, bytes.count, &found, &count)
      guard received > 0 else { return false }
      sockets += found[..<Int(count)]
      reader.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<received]))
      return true
    }
  }

  private func handle(_ message: EngineMessage, _ pool: OpaquePointer) {
    if let id = message.head["stop"]?.exactInteger {
      heads[UInt64(bitPattern: id)] = nil
      trim_curl_stop(pool, UInt64(bitPattern: id))
    } else if let name = message.head["added"]?.text, let found = added(name) {
      let members = found.map { JSONValue.Member(key: $0.0, value: .string($0.1)) }
      say(EngineMessage(head: .object(["added": .object(members)])))
    } else if let request = try? message.head.decoded(as: WireRequest.self) {
      start(request, pool)
    }
  }

  private func start(_ request: WireRequest, _ pool: OpaquePointer) {
    let id = UInt64(bitPattern: request.id)
    heads[id] = (request, WireHead())
    // They come in the order of their requests.
    let socket = request.hasSocket && !sockets.isEmpty ? sockets.removeFirst() : -1
    let words = [request.address, request.name ?? ""] + request.fields
    let copies = words.map { (word: String) in strdup(word) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) }
    let isStarted = pointers[2...].withContiguousStorageIfAvailable { fields in
      var wanted = trim_curl_request()
      wanted.id = id
      wanted.address = pointers[0]
      wanted.name = request.name == nil ? nil : pointers[1]
      wanted.fields = fields.baseAddress
      wanted.field_count = fields.count
      wanted.socket = socket
      wanted.is_fresh = request.isFresh ? 1 : 0
      wanted.head_limit = UInt64(max(0, request.headLimit))
      wanted.window_bytes = UInt64(max(0, request.windowBytes))
      wanted.window_milliseconds = UInt64(max(1, request.windowMilliseconds))
      wanted.total_milliseconds = UInt64(max(0, request.totalMilliseconds))
      return trim_curl_start(pool, &wanted) == 0
    }
    if isStarted != true { ended(id, TRIM_CURL_FAILED, false, "the request cannot be made") }
  }

  private func heard(line: [UInt8], of id: UInt64) {
    guard let request = heads[id]?.request, var head = heads[id]?.head else { return }
    // A status line begins another head: of an interim answer (RFC 9110, 15.2), or the final one.
    if line.starts(with: Array("HTTP/".utf8)) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      head = WireHead()
      head.status =
        words.count > 1 ? Int(String(decoding: words[1].prefix(3), as: UTF8.self)) ?? 0 : 0
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      if WireHead.names.contains(name) {
        let value = String(
          String.UnicodeScalarView(line[(colon + 1)...].map { Unicode.Scalar($0) }))
        head.fields.append([name, value.trimmed])
      }
    } else if line == [13, 10] || line == [10], head.status >= 200 {
      if let pool { trim_curl_limit_body(pool, id, UInt64(max(0, request.limit(head)))) }
      post("head", id, head)
      // What follows are trailers (RFC 9110, 6.5), which say nothing that matters here.
      heads[id] = nil
      return
    }
    heads[id] = (request, head)
  }

  private func heard(body: [UInt8], of id: UInt64) {
    say(EngineMessage(head: .object(["body": .integer(Int64(bitPattern: id))]), body: body))
  }

  private func ended(_ id: UInt64, _ result: trim_curl_result, _ isSecond: Bool, _ text: String) {
    heads[id] = nil
    post(
      "end", id, WireEnd(result: WireEnd.Result(result), isSecondVersion: isSecond, text: text))
  }

  private func post(_ key: String, _ id: UInt64, _ value: some Encodable) {
    guard let coded = try? JSONValue.encoded(value) else { return }
    say(
      EngineMessage(head: .object([key: .integer(Int64(bitPattern: id)), "is": coded])))
  }

  func say(_ message: EngineMessage) {
    let bytes = message.bytes
    var done = 0
    while !isBroken, done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(
          output, buffer.baseAddress?.advanced(by: done), buffer.count - done, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { done += count } else if errno != EINTR { isBroken = true }
    }
  }
}

extension WireEnd.Result {
  fileprivate init(_ result: trim_curl_result) {
    self =
      switch result {
      case TRIM_CURL_DONE: .done
      case TRIM_CURL_LONGER: .longer
      case TRIM_CURL_NEEDS_CONNECTION: .needsConnection
      case TRIM_CURL_DROPPED: .dropped
      case TRIM_CURL_STALLED: .stalled
      case TRIM_CURL_TIMED_OUT: .timedOut
      case TRIM_CURL_HEAD_TOO_LONG: .headTooLong
      case TRIM_CURL_NO_HTTP: .noHTTP
      case TRIM_CURL_TLS: .tls
      default: .failed
      }
  }
}

extension String {
  /// Without the blanks around a value (RFC 9110, 5.5), and the end of its line.
  fileprivate var trimmed: String {
    let isBlank = { (scalar: Unicode.Scalar) in " \t\r\n".unicodeScalars.contains(scalar) }
    var scalars = unicodeScalars[...].drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }
}
