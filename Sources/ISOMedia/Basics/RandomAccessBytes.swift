/// A file as the parser needs it: its size, and bytes from any place.
package protocol RandomAccessBytes {
  /// How many bytes there are.
  var byteCount: Int64 { get }

  /// The bytes from an offset on; fewer than asked for only where the file ends.
  func read(at offset: Int64, count: Int) throws -> [UInt8]

  /// Unpacks a movie header that is compressed.
  ///
  /// - Parameters:
  ///   - packed: what stands in the file.
  ///   - algorithm: how it was packed (`dcom`).
  ///   - byteCount: bytes that come out, as the file claims.
  /// - Returns: a `moov` box; `nil` where it is not unpacked.
  func unpacked(_ packed: [UInt8], by algorithm: FourCC, to byteCount: Int) -> [UInt8]?
}

extension RandomAccessBytes {
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
