import Glibc

/// Makes the connections of the process that fetches, each to an address that was just judged: a name that
/// resolves to another one a moment later changes nothing.
struct Connector: Sendable {
  let policy: AddressPolicy
  let resolver: NameResolver
  let limits: FetchLimits
  let isInterrupted: @Sendable () -> Bool

  /// - Parameter limit: the end of the request that needs it.
  /// - Returns: a connected socket, which the caller owns.
  /// - Throws: ``FetchFault``: `addressRefused`, `serverUnreachable`, `cancelled`.
  func connect(
    to origin: RemoteAddress.Origin, until limit: ContinuousClock.Instant?
  ) throws(FetchFault) -> Int32 {
    let own = ContinuousClock.now + limits.connecting
    let end = min(own, limit ?? own)
    let addresses: [NetworkAddress]
    if let numeric = NetworkAddress(origin.host) {
      addresses = [numeric]
    } else {
      addresses = try resolver.addresses(of: origin.host, until: end, isInterrupted: isInterrupted)
    }
    let allowed = addresses.filter { policy.refusal(of: $0) == nil }
    if allowed.isEmpty, let first = addresses.first, let refusal = policy.refusal(of: first) {
      throw Self.fault(origin, first, refusal)
    }
    var failure = FetchFault(.serverUnreachable, "its server did not accept a connection in time")
    for (number, address) in allowed.enumerated() {
      // The next one may answer where this one does not.
      let isLast = number == allowed.count - 1
      let now = ContinuousClock.now
      let until = isLast ? end : now + (end - now) / 2
      switch Self.socket(to: address, origin.port, until, isInterrupted) {
      case .success(let socket): return socket
      case .failure(let reason): failure = reason
      }
      if isInterrupted() { throw .cancelled }
    }
    throw failure
  }

  private static func fault(
    _ origin: RemoteAddress.Origin, _ address: NetworkAddress, _ refusal: AddressPolicy.Refusal
  ) -> FetchFault {
    let place =
      address.text == origin.host
      ? "its server is at" : "the name of its server leads to"
    return FetchFault(
      .addressRefused,
      "\(place) \(address.text), \(refusal.kind) (\(refusal.rule)), and is not asked",
      hint: refusal.isPrivate
        ? "'--allow-private-network' allows it, for addresses that you trust." : nil)
  }

  private static func socket(
    to address: NetworkAddress, _ port: UInt16, _ end: ContinuousClock.Instant,
    _ isInterrupted: () -> Bool
  ) -> Result<Int32, FetchFault> {
    let isFour = address.bytes.count == 4
    let descriptor = Glibc.socket(
      isFour ? AF_INET : AF_INET6,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return .failure(unreachable(errno)) }
    // Requests are small, and whoever waits for an answer should not wait for more of them.
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var failure = begin(descriptor, address, port)
    while failure == EINPROGRESS || failure == EINTR {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&request, 1, 50)
      if ready > 0 {
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
      } else if ready < 0, errno != EINTR {
        failure = errno
      } else if isInterrupted() || ContinuousClock.now >= end {
        failure = ETIMEDOUT
      }
    }
    guard failure != 0 else { return .success(descriptor) }
    close(descriptor)
    return .failure(unreachable(failure))
  }

  /// - Returns: an errno.
  private static func begin(
    _ descriptor: Int32, _ address: NetworkAddress, _ port: UInt16
  ) -> Int32 {
    let bytes = address.bytes
    let result: Int32
    if bytes.count == 4 {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: bytes) }
      result = withUnsafePointer(to: name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    } else {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: bytes) }
      result = withUnsafePointer(to: name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    return result == 0 ? 0 : errno
  }

  private static func unreachable(_ code: Int32) -> FetchFault {
    FetchFault(
      .serverUnreachable,
      "its server cannot be reached: \(String(cString: strerror(code)).lowercasedFirst)")
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension FetchFault {
  static var cancelled: FetchFault { FetchFault(.cancelled, "it was cancelled") }
}
