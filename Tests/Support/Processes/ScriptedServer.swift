import Glibc
import Synchronization
import Threads

/// A server on 127.0.0.1 that answers as a test says, however wrong: it speaks no more HTTP than it is told to.
package final class ScriptedServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var target: String
    package var fields: [(name: String, value: String)]
    /// The number of the connection on which it came.
    package var connection: Int

    package func value(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name }?.value
    }

    /// The bytes that it asks for: of the form `bytes=A-B` only.
    package var range: Range<Int>? {
      let text = value("range")?.split(separator: "=").last ?? ""
      let ends = text.split(separator: "-").compactMap { Int($0) }
      return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] + 1 : nil
    }
  }

  package enum Step: Sendable {
    case send([UInt8])
    /// The same bytes over and over.
    case flood([UInt8], times: Int)
    case pause(Duration)
    /// A byte at a time.
    case drip([UInt8], each: Duration)
    case close
    /// Without a word: the other side sees a reset.
    case reset

    package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// What it answers to a request, of which it gets the number.
  package typealias Script = @Sendable (_ number: Int, _ request: Request) -> [Step]

  package let port: UInt16
  private let listener: Int32
  private let state: Mutex<State>

  private struct State {
    var requests: [Request] = []
    var sockets: [Int32] = []
    var connections = 0
    var inFlight = 0
    var mostInFlight = 0
    var isOver = false
  }

  package init(_ script: @escaping Script) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) != 0 || listen(socket, 64) != 0
          || getsockname(socket, $0, &size) != 0
      }
    }
    if failed { throw ScratchFolder.SystemFailure(call: "bind", number: errno) }
    listener = socket
    port = UInt16(bigEndian: address.sin_port)
    state = Mutex(State())
    WaitingThread.run { [weak self] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { return }
        guard let self else {
          Glibc.close(client)
          return
        }
        self.welcome(client, script)
      }
    }
  }

  deinit { stop() }

  /// Ends it, with all connections.
  package func stop() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      shutdown(listener, Int32(SHUT_RDWR))
      Glibc.close(listener)
    }
  }

  package var requests: [Request] { state.withLock { $0.requests } }
  package var connections: Int { state.withLock { $0.connections } }
  /// The most requests that were being answered at once.
  package var mostInFlight: Int { state.withLock { $0.mostInFlight } }

  private func welcome(_ client: Int32, _ script: @escaping Script) {
    let number = state.withLock { state -> Int in
      state.sockets.append(client)
      state.connections += 1
      return state.connections
    }
    WaitingThread.run { [weak self] in
      var input: [UInt8] = []
      while let request = Self.request(client, number, &input) {
        guard let self else { break }
        let place = self.state.withLock { state in
          state.requests.append(request)
          state.inFlight += 1
          state.mostInFlight = max(state.mostInFlight, state.inFlight)
          return state.requests.count
        }
        let goesOn = script(place, request).allSatisfy { self.perform($0, client) }
        self.state.withLock { $0.inFlight -= 1 }
        guard goesOn else { break }
      }
      self?.state.withLock { state in state.sockets.removeAll { $0 == client } }
      Glibc.close(client)
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func perform(_ step: Step, _ client: Int32) -> Bool {
    switch step {
    case .send(let bytes): return Self.send(bytes, client)
    case .flood(let bytes, let times):
      return (0..<times).allSatisfy { _ in !isOver && Self.send(bytes, client) }
    case .pause(let time): return wait(time)
    case .drip(let bytes, let pause):
      return bytes.allSatisfy { Self.send([$0], client) && wait(pause) }
    case .close: return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private func wait(_ time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      if isOver { return false }
      usleep(2_000)
    }
    return true
  }

  private static func send(_ bytes: [UInt8], _ client: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static func request(
    _ client: Int32, _ connection: Int, _ input: inout [UInt8]
  ) -> Request? {
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let end = (0..<max(0, input.count - 3)).first {
        input[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8)
      }
      if let end {
        defer { input.removeSubrange(..<(end + 4)) }
        return Request(head: String(decoding: input[..<end], as: UTF8.self), connection)
      }
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      input += buffer[..<count]
    }
  }
}

extension ScriptedServer.Request {
  fileprivate init(head: String, _ connection: Int) {
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    method = words.first.map { String($0) } ?? ""
    target = words.count > 1 ? String(words[1]) : ""
    fields = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
    }
    self.connection = connection
  }
}
