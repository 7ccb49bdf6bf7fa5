import Bitstreams

/// GoPro's metadata format (GPMF): entries of a four-character key, a type, the size of an element
/// and their number, and the elements, padded to four bytes; an entry of type 0 holds others.
struct GoProSettings {
  private let bytes: [UInt8]
  private static let deepest = 8

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The same with the times of its highlights (`HLMT`) changed, or without them where they are not
  /// plain milliseconds.
  ///
  /// - Returns: `nil` where it holds highlights and cannot be read.
  func revised(_ times: ([UInt32]) -> [UInt32]) -> (bytes: [UInt8], removed: Int)? {
    guard bytes.firstRange(of: Array("HLMT".utf8)) != nil else { return (bytes, 0) }
    var removed = 0
    guard let result = revised(bytes[...], times, &removed, depth: 0) else { return nil }
    return (result, removed)
  }

  private func revised(
    _ bytes: ArraySlice<UInt8>, _ times: ([UInt32]) -> [UInt32], _ removed: inout Int, depth: Int
  ) -> [UInt8]? {
    guard depth < Self.deepest else { return nil }
    var result: [UInt8] = []
    var rest = bytes
    while rest.count >= 8, rest.first != 0 {
      let head = Array(rest.prefix(8))
      let (type, size) = (head[4], Int(head[5]))
      let count = Int(head[6...].number(.big))
      let length = size * count
      let whole = 8 + (length + 3) / 4 * 4
      guard whole <= rest.count else { return nil }
      let content = rest.dropFirst(8).prefix(length)
      if head.starts(with: "HLMT".utf8) {
        if type == UInt8(ascii: "L"), size == 4 {
          let words = stride(from: content.startIndex, to: content.endIndex, by: 4).map {
            UInt32(clamping: content[$0..<$0 + 4].number(.big))
          }
          let moved = times(words)
          result += head[..<6] + UInt16(clamping: moved.count).bytes(.big)
          result += moved.flatMap { $0.bytes(.big) }
        } else {
          removed += 1
        }
      } else if type == 0 {
        guard let inner = revised(content, times, &removed, depth: depth + 1) else { return nil }
        // The length is a product of two numbers, of which the first is at most 255.
        let unit = size > 0 && inner.count % size == 0 ? size : 4
        guard let number = UInt16(exactly: inner.count / unit), inner.count % unit == 0 else {
          return nil
        }
        result += head[..<5] + [UInt8(clamping: unit)] + number.bytes(.big) + inner
      } else {
        result += rest.prefix(whole)
      }
      rest = rest.dropFirst(whole)
    }
    // Padding.
    return result + rest
  }
}
