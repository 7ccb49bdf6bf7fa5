import Glibc

/// A server on 127.0.0.1 that nothing should connect to.
package final class LoopbackListener: Sendable {
  package let port: UInt16
  private let socket: Int32

  package init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) != 0 || listen(socket, 8) != 0 || getsockname(socket, $0, &size) != 0
      }
    }
    self.socket = socket
    port = UInt16(bigEndian: address.sin_port)
    if failed { throw ScratchFolder.SystemFailure(call: "bind", number: errno) }
  }

  deinit { close(socket) }

  /// True when something has connected.
  package var wasCalled: Bool {
    var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
