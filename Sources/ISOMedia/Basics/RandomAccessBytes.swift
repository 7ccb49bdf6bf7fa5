/// A file as the parser needs it: its size, and bytes from any offset.
package protocol RandomAccessBytes {
  /// The size in bytes.
  var byteCount: Int64 { get }

  /// The bytes from an offset on; fewer than requested only at the end of the file.
  func read(at offset: Int64, count: Int) throws -> [UInt8]

  /// Says that a range will be read in order: from another machine, it then comes in few requests.
  func expect(_ range: Range<Int64>)

  /// Says that a range is the movie header, which will be read again.
  func keep(_ range: Range<Int64>)

  /// Whether a range can be read at little cost; false for parts of a large file on another machine.
  func isAtHand(_ range: Range<Int64>) -> Bool

  /// Decompresses a compressed movie header.
  ///
  /// - Parameters:
  ///   - packed: the compressed bytes in the file.
  ///   - algorithm: the compression algorithm (`dcom`).
  ///   - byteCount: the decompressed size that the file states.
  /// - Returns: a `moov` box; `nil` where it cannot be decompressed.
  func unpacked(_ packed: [UInt8], by algorithm: FourCC, to byteCount: Int) -> [UInt8]?
}

extension RandomAccessBytes {
  package func expect(_ range: Range<Int64>) {}

  package func keep(_ range: Range<Int64>) {}

  package func isAtHand(_ range: Range<Int64>) -> Bool { true }

  package func unpacked(_ packed: [UInt8], by algorithm: FourCC, to byteCount: Int) -> [UInt8]? {
    nil
  }
}

/// A whole file in memory.
package struct InMemoryBytes: RandomAccessBytes, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: Int64 { Int64(bytes.count) }

  package func read(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < byteCount else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<min(bytes.count - start, count) + start])
  }
}
