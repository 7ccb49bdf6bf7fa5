import CSystem

/// What was read from a file, as a hash per range, to check later whether it is unchanged.
package struct ReadLog: Sendable {
  /// Bytes that were read consecutively.
  private struct Stretch {
    var start: Int64
    var end: Int64
    var hash: UInt64
  }

  private var closed: [Stretch] = []
  private var start: Int64 = 0
  private var end: Int64 = 0
  private var hash = trim_hash()

  /// The most ranges; more are dropped, so that memory use stays constant however a file is read.
  private static let most = 1 << 18

  package init() { trim_hash_begin(&hash) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    if position != end {
      close()
      start = position
      trim_hash_begin(&hash)
    }
    trim_hash_add(&hash, base, bytes.count)
    end = position + Int64(bytes.count)
  }

  private mutating func close() {
    guard end > start, closed.count < Self.most else { return }
    closed.append(Stretch(start: start, end: end, hash: trim_hash_end(&hash)))
  }

  /// Whether the file still contains the same bytes.
  ///
  /// - Parameter read: fills a buffer from a position; false where it cannot.
  package func holds(_ read: (UnsafeMutableRawBufferPointer, Int64) -> Bool) -> Bool {
    var log = self
    log.close()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return log.closed.allSatisfy { stretch in
      var hash = trim_hash()
      trim_hash_begin(&hash)
      var position = stretch.start
      while position < stretch.end {
        let count = Int(min(Int64(buffer.count), stretch.end - position))
        let isThere = buffer.withUnsafeMutableBytes { bytes in
          let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
          guard read(piece, position) else { return false }
          trim_hash_add(&hash, piece.baseAddress, count)
          return true
        }
        guard isThere else { return false }
        position += Int64(count)
      }
      return trim_hash_end(&hash) == stretch.hash
    }
  }
}
