import Synchronization

/// A range of a file that several readers need, read once: its header.
final class KeptBytes: Sendable {
  private let kept = Mutex<(start: Int64, bytes: [UInt8])?>(nil)

  /// A longer header is read each time.
  private static let most: Int64 = 16 << 20

  /// Reads a range to keep it, unless one is kept already.
  func keep(_ range: Range<Int64>, of file: StoredBytes) {
    guard !range.isEmpty, range.upperBound - range.lowerBound <= Self.most,
      kept.withLock({ $0 == nil })
    else { return }
    var unkept = file
    unkept.kept = nil
    guard let bytes = try? unkept.read(at: range.lowerBound, count: range.count),
      bytes.count == range.count
    else { return }
    kept.withLock { $0 = (range.lowerBound, bytes) }
  }

  /// Copies bytes that are kept; false where some are not.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at position: Int64) -> Bool {
    kept.withLock { kept in
      guard let kept, position >= kept.start,
        let place = Int(exactly: position - kept.start), place <= kept.bytes.count,
        buffer.count <= kept.bytes.count - place
      else { return false }
      buffer.copyBytes(from: kept.bytes[place..<place + buffer.count])
      return true
    }
  }
}
