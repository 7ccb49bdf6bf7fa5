/// The elements that contain tags or lead to them (RFC 9559, 5.1).
private enum Element {
  static let segment: UInt32 = 0x1853_8067
  static let tags: UInt32 = 0x1254_C367
  static let tag: UInt32 = 0x7373
  static let simpleTag: UInt32 = 0x67C8
  static let cluster: UInt32 = 0x1F43_B675
}

extension MetadataCensus {
  private static let deepestTag = 8

  package mutating func countMatroska() {
    countElements(from: 0, to: reader.byteCount, depth: 0)
  }

  private mutating func countElements(from start: Int64, to end: Int64, depth: Int) {
    var position = start
    while position < end {
      let count = Int(min(12, end - position))
      guard let head = reader.bytes(at: position, count: count).flatMap(EBML.head) else { return }
      let content = position + Int64(head.length)
      // Only a segment of unknown size is followed; what follows such a cluster cannot be found.
      if head.size == nil, head.id != Element.segment { return }
      let elementEnd = head.size.flatMap { $0 > end - content ? nil : content + $0 } ?? end
      // A long video has very many clusters.
      // On another machine, each further element would be a request, and FFmpeg does not look for them either.
      if head.id == Element.cluster, reader.isReadSparingly { return }
      guard head.id == Element.cluster ? goesOn() : goesOnInHeader() else { return }
      switch head.id {
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
}
