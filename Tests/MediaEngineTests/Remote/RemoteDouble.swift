import Glibc
import MediaEngine
import Synchronization

/// A file of which ranges are asked for, and counted.
final class RemoteDouble: RemoteSource {
  private let content: [UInt8]
  private let spent: Mutex<RemoteCost>
  private let failure: Mutex<ProbeError?>
  let head: [UInt8]

  init(_ content: [UInt8], firstBytes: Int = 512 << 10) {
    self.content = content
    head = Array(content.prefix(firstBytes))
    spent = Mutex(RemoteCost(requests: 1, bytes: Int64(head.count)))
    failure = Mutex(nil)
  }

  var byteCount: Int64 { Int64(content.count) }
  var cost: RemoteCost { spent.withLock { $0 } }

  /// From now on every request fails.
  func fail(_ error: ProbeError) { failure.withLock { $0 = error } }

  func bytes(in range: Range<Int64>) throws(ProbeError) -> [UInt8] {
    if let error = failure.withLock({ $0 }) { throw error }
    spent.withLock {
      $0 = $0 + RemoteCost(requests: 1, bytes: range.upperBound - range.lowerBound)
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
        RemoteFiles.allow(cacheBytes: 64 << 20) { (address, name, cache) throws(ProbeError) in
          guard let double = all.withLock({ $0[address] }) else {
            throw ProbeError(.inputMissing, "there is no such file")
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
