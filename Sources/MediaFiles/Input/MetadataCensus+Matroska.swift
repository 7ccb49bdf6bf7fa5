/// The elements that contain tags or lead to them (RFC 9559, 5.1).
private enum Element {
  static let segment: Int64 = 0x1853_8067
  static let tags: Int64 = 0x1254_C367
  static let tag: Int64 = 0x7373
  static let simpleTag: Int64 = 0x67C8
  static let cluster: Int64 = 0x1F43_B675
}

extension MetadataCensus {
  private static let deepestTag = 8

  package mutating func countMatroska() {
    countElements(from: 0, to: reader.byteCount, depth: 0)
  }

  private mutating func countElements(from start: Int64, to end: Int64, depth: Int) {
    var position = start
    while position < end {
      guard let id = variable(at: position, keepsMarker: true),
        let size = variable(at: position + id.length, keepsMarker: false)
      else { return }
      let content = position + id.length + size.length
      let isOpen = size.value < 0
      // Only a segment of unknown size is followed; what follows such a cluster cannot be found.
      if isOpen, id.value != Element.segment { return }
      let elementEnd = isOpen || size.value > end - content ? end : content + size.value
      // A long video has very many clusters.
      guard id.value == Element.cluster ? goesOn() : goesOnInHeader() else { return }
      switch id.value {
      case Element.segment, Element.tags, Element.tag:
        if depth < Self.deepestTag {
          countElements(from: content, to: elementEnd, depth: depth + 1)
        }
      case Element.simpleTag:
        add()
        if depth < Self.deepestTag {
          countElements(from: content, to: elementEnd, depth: depth + 1)
        }
      default: break
      }
      position = elementEnd
    }
  }

  /// A variable-length number (RFC 8794, 4); −1 for an unknown size.
  private mutating func variable(
    at position: Int64, keepsMarker: Bool
  ) -> (value: Int64, length: Int64)? {
    guard let first = reader.bytes(at: position, count: 1)?.first, first > 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard let bytes = reader.bytes(at: position, count: length) else { return nil }
    var value = Int64(keepsMarker ? first : first & UInt8(0xFF >> length & 0xFF))
    for byte in bytes.dropFirst() { value = value << 8 | Int64(byte) }
    if !keepsMarker, value == (1 << (7 * Int64(length))) - 1 { value = -1 }
    return (value, Int64(length))
  }
}
