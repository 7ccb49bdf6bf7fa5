import Dispatch
import Glibc
import Synchronization
import Threads

/// Resolves the names of servers, in the command: the process that fetches knows no addresses.
package struct NameResolver: Sendable {
  /// - Returns: `nil` where nothing has that name.
  package var addresses: @Sendable (_ host: String) -> [NetworkAddress]?

  package init(_ addresses: @escaping @Sendable (_ host: String) -> [NetworkAddress]?) {
    self.addresses = addresses
  }

  /// As this system resolves them.
  package static let system = NameResolver { host in
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var found: [NetworkAddress] = []
    var place = list
    while let entry = place?.pointee {
      place = entry.ai_next
      if let address = NetworkAddress(entry.ai_addr), !found.contains(address) {
        found.append(address)
      }
    }
    return found
  }

  /// Resolves on a thread of its own, which is left behind when it takes too long.
  func addresses(
    of host: String, until end: ContinuousClock.Instant, isInterrupted: () -> Bool
  ) throws(FetchFault) -> [NetworkAddress] {
    let answer = Answer()
    let isStarted = WaitingThread.run { [addresses] in
      answer.found.withLock { $0 = .some(addresses(host)) }
      answer.isThere.signal()
    }
    guard isStarted else { throw FetchFault(.internalError, "the system has no thread left") }
    while answer.isThere.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if isInterrupted() { throw .cancelled }
      guard ContinuousClock.now < end else {
        throw FetchFault(.serverUnreachable, "the name of its server was not resolved in time")
      }
    }
    guard let found = answer.found.withLock({ $0 }) ?? nil, !found.isEmpty else {
      throw FetchFault(.serverUnreachable, "there is no server with the name \(host)")
    }
    return found
  }

  private final class Answer: Sendable {
    let found = Mutex<[NetworkAddress]??>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }
}

extension NetworkAddress {
  fileprivate init?(_ address: UnsafeMutablePointer<sockaddr>?) {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = .four(withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) })
    case AF_INET6:
      self = .six(withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) })
    default: return nil
    }
  }
}
