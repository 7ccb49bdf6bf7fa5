/// One file behind an address, read by ranges.
///
/// Blocking; usable from several threads.
package protocol RangeSource: AnyObject, Sendable {
  /// The whole size in bytes; `nil` where the server states none.
  var byteCount: Int64? { get }
  /// What came with the first request: the bytes from 0 on.
  var head: [UInt8] { get }
  /// What it cost so far.
  var cost: FetchCost { get }
  /// How many requests of it can be in flight at once.
  var mostRequests: Int { get }

  /// The bytes of a range, all of them.
  ///
  /// At most ``mostRequests`` of one source are in flight at once; further callers wait.
  ///
  /// - Parameter range: within `0..<byteCount`.
  func bytes(in range: Range<Int64>) throws(FetchFault) -> [UInt8]

  /// Another use of it begins: the time for its requests is counted from now on.
  func restart()
}

/// What was asked of servers.
package struct FetchCost: Sendable, Hashable {
  /// Requests, with those that were redirected or repeated.
  package var requests: Int
  /// Bytes of bodies that arrived.
  package var bytes: Int64

  package init(requests: Int = 0, bytes: Int64 = 0) {
    self.requests = requests
    self.bytes = bytes
  }

  package static func + (a: Self, b: Self) -> Self {
    FetchCost(requests: a.requests + b.requests, bytes: a.bytes + b.bytes)
  }
}
