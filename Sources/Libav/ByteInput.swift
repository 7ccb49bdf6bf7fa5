/// Where a demuxer reads from: our own file descriptor, never a file name.
package protocol ByteInput: AnyObject, Sendable {
  /// The size in bytes; `nil` when the end is not known yet.
  var byteCount: Int64? { get }

  /// Reads up to the buffer's size from a position; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(InputFault)
    -> Int

  /// Why FFmpeg must not read it, in one sentence; `nil` where it may.
  var refusal: String? { get }
}

extension ByteInput {
  package var refusal: String? { nil }
}

/// Why bytes could not be read.
package struct InputFault: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The system call failed; the number is `errno`.
    case failed(Int32)
    /// No data arrived for as long as the limits allow.
    case stalled
    case timedOut
    case cancelled
    /// More bytes than the limits allow to store.
    case tooLarge
    /// More metadata entries than this many.
    case entries(Int)
    /// More processor time than this to read headers and recognize the streams.
    case computing(Duration)
  }

  package var kind: Kind
  package var position: Int64

  package init(_ kind: Kind, at position: Int64) {
    self.kind = kind
    self.position = position
  }
}
