/// Keeps the beginning of a file that is being written, including later overwrites.
struct WrittenHead {
  private(set) var bytes: [UInt8] = []
  private let most: Int

  /// - Parameter most: the number of bytes that are kept.
  init(most: Int) { self.most = most }

  mutating func write(_ written: UnsafeRawBufferPointer, at position: Int64) {
    let start = Int(clamping: position)
    guard start < most, !written.isEmpty else { return }
    let end = min(most, start + written.count)
    if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
    for offset in start..<end { bytes[offset] = written[offset - start] }
  }
}
