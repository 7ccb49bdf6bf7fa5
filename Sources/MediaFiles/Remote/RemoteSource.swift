/// A file on another machine, of which ranges can be asked for.
///
/// Blocking; safe from several threads.
package protocol RemoteSource: AnyObject, Sendable {
  /// The whole size in bytes.
  var byteCount: Int64 { get }
  /// The bytes from 0 on that came with the answer that stated the size.
  var head: [UInt8] { get }
  /// How many ranges can be asked for at once.
  var mostRequests: Int { get }

  /// The bytes of a range that lies inside the file, all of them.
  func bytes(in range: Range<Int64>) throws(MediaError) -> [UInt8]

  /// Another use of the file begins: limits of time count from now on.
  func restart()

  /// Asks whether all that was read is of one version, where not every request does.
  func confirm() throws(MediaError)
}

extension RemoteSource {
  package func confirm() throws(MediaError) {}
}

/// What it cost to read files on other machines.
package struct RemoteCost: Sendable, Hashable {
  /// Requests that were sent.
  package var requests = 0
  /// Bytes of media that were received.
  package var bytes: Int64 = 0

  package init(requests: Int = 0, bytes: Int64 = 0) {
    self.requests = requests
    self.bytes = bytes
  }

  package static func + (one: RemoteCost, other: RemoteCost) -> RemoteCost {
    RemoteCost(
      requests: one.requests &+ other.requests,
      bytes: one.bytes.addingReportingOverflow(other.bytes).partialValue)
  }
}
