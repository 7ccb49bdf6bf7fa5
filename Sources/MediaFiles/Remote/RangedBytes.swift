package import Libav

/// The bytes of a file on another machine, for those who read them.
package protocol RangedBytes: Sendable {
  /// Reads what lies in the file, which is all of the buffer except at its end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault>

  /// Says that a range is about to be read in order, so that it comes in few requests.
  func expect(_ range: Range<Int64>)

  /// Says that a range will be read at any rate, so that it may be fetched before.
  func announce(_ range: Range<Int64>)

  /// Whether a range can be read without a request.
  func isAtHand(_ range: Range<Int64>) -> Bool
}
