import LateFFmpeg

/// Decompresses zlib data (RFC 1950).
package enum Inflation {
  /// - Parameter count: the decompressed size in bytes; no more are produced.
  /// - Returns: `nil` where the size differs, the bytes are damaged, or zlib is not available.
  package static func inflated(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
    guard count > 0 else { return nil }
    var isWhole = false
    let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole = unsafe bytes.withUnsafeBufferPointer {
        unsafe trim_inflate($0.baseAddress, $0.count, buffer.baseAddress, count) == 0
      }
      filled = isWhole ? count : 0
    }
    return isWhole ? unpacked : nil
  }
}
