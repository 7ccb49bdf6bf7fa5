import Synchronization

/// Keeps a muxer's output in memory.
package final class OutputMemory: ByteOutput {
  private let content = Mutex<[UInt8]>([])
  private let limit: Int

  /// - Parameter limit: the most bytes; more are rejected as too large a file (`EFBIG`).
  package init(limit: Int) { self.limit = limit }

  package var bytes: [UInt8] { content.withLock { $0 } }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(OutputFault) {
    let start = Int(clamping: position)
    guard start >= 0, bytes.count <= limit, start <= limit - bytes.count else {
      throw OutputFault(27)
    }
    content.withLock { content in
      let end = start + bytes.count
      if content.count < end { content += Array(repeating: 0, count: end - content.count) }
      unsafe content.replaceSubrange(start..<end, with: bytes)
    }
  }
}
