import Glibc

/// A long run of one repeated byte, such as the end of a file that was never written.
///
/// Without a container it contains no packet, but FFmpeg's parsers buffer all of it. A run that
/// is too long to buffer is found by looking ahead, so that none of it is buffered.
enum Monotony {
  /// The shortest run that is examined.
  private static let least = 4096

  struct Look {
    /// How many of the bytes read precede the run; `nil` if there is none.
    var start: Int?
    /// Before this position in the input there is no other run.
    var end: Int64
  }

  /// - Parameters:
  ///   - bytes: what was read at a position of the input.
  ///   - limit: how long the run must be.
  /// - Returns: `nil` where the bytes do not end in such a run.
  static func look(
    behind bytes: UnsafeRawBufferPointer, at position: Int64, of input: any ByteInput,
    limit: Int64, goesOn: () -> Bool
  ) -> Look? {
    guard bytes.count >= least, let byte = unsafe bytes.last,
      unsafe isAll(byte, UnsafeRawBufferPointer(rebasing: bytes.suffix(least)))
    else { return nil }
    let start = unsafe (bytes.lastIndex { $0 != byte } ?? -1) + 1
    let (end, overflow) = (position + Int64(start)).addingReportingOverflow(limit)
    if overflow { return nil }
    var place = position + Int64(bytes.count)
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      while place < end {
        guard goesOn(), let count = unsafe try? input.read(into: buffer, at: place), count > 0
        else { return Look(end: place) }
        let found = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        guard unsafe isAll(byte, found) else { return Look(end: place) }
        place += Int64(count)
      }
      return Look(start: start, end: position)
    }
  }

  private static func isAll(_ byte: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress, unsafe bytes.first == byte else { return false }
    return unsafe memcmp(base, base + 1, bytes.count - 1) == 0
  }
}
