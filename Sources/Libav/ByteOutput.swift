/// Where a muxer writes to: our own file descriptor, never a file name.
package protocol ByteOutput: AnyObject, Sendable {
  /// Writes all bytes at a position.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault)
}

extension ByteOutput {
  package func write(_ bytes: [UInt8], at position: Int64) throws(OutputFault) {
    let written = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(OutputFault) in try unsafe write(bytes, at: position) }
    }
    try written.get()
  }
}

/// Why bytes could not be written; the number is `errno`.
package struct OutputFault: Error, Sendable, Hashable {
  package var code: Int32

  package init(_ code: Int32) { self.code = code }
}
