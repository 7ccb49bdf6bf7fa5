import Glibc
import MediaEngine
import Synchronization

/// A file of which ranges are asked for, and counted.
final class RemoteDouble: RemoteSource {
  private let content: [UInt8]
  private let spent: Mutex<RemoteCost>
  private let failure: Mutex<MediaError?>
  private let delay: Duration
  private let flights = Mutex((now: 0, most: 0))
  private let broken = Mutex<Int64?>(nil)
  let head: [UInt8]

  /// - Parameter delay: how long each request takes.
  init(_ content: [UInt8], firstBytes: Int = 512 << 10, delay: Duration = .zero) {
    self.content = content
    self.delay = delay
    head = Array(content.prefix(firstBytes))
    spent = Mutex(RemoteCost(requests: 1, bytes: Int64(head.count)))
    failure = Mutex(nil)
  }

  var byteCount: Int64 { Int64(content.count) }
  var cost: RemoteCost { spent.withLock { $0 } }
  var mostRequests: Int { 4 }

  func restart() {}

  /// The most requests that were in flight at once.
  var mostInFlight: Int { flights.withLock { $0.most } }

  /// From now on every request fails that contains a byte.
  func fail(at position: Int64?) { broken.withLock { $0 = position } }

  /// From now on every request fails.
  func fail(_ error: MediaError) { failure.withLock { $0 = error } }

  func bytes(in range: Range<Int64>) throws(MediaError) -> [UInt8] {
    if let error = failure.withLock({ $0 }) { throw error }
    spent.withLock {
      $0 = $0 + RemoteCost(requests: 1, bytes: range.upperBound - range.lowerBound)
    }
    flights.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
    flights.withLock { $0.now -= 1 }
    if let position = broken.withLock({ $0 }), range.contains(position) {
      throw MediaError(.stalled, "the server sent nothing")
    }
    return Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

/// The doubles of this process, by address.
enum RemoteDoubles {
  private static let all = Mutex<[[UInt8]: RemoteDouble]>([:])
  private static let isAllowed = Mutex(false)

  /// A file at an address that no other test has.
  static func input(_ double: RemoteDouble, at address: String) -> MediaInput {
    isAllowed.withLock { isAllowed in
      if !isAllowed {
        RemoteFiles.allow(cacheBytes: 64 << 20) { (address, name, cache, _) throws(MediaError) in
          guard let double = all.withLock({ $0[address] }) else {
            throw MediaError(.inputMissing, "there is no such file")
          }
          return RemoteFile(double, name: name, cache: cache)
        }
      }
      isAllowed = true
    }
    all.withLock { $0[Array(address.utf8)] = double }
    return .file(path: RemoteFiles.name(for: Array(address.utf8)))
  }
}
