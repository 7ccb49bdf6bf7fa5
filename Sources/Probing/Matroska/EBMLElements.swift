import MediaFiles

/// The elements of a master element in memory (RFC 8794, 5).
struct EBMLElements: Sequence, IteratorProtocol {
  struct Element {
    var id: UInt32
    var content: ArraySlice<UInt8>

    var number: UInt64 { content.number }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Element? {
    guard let head = EBML.head(rest), let size = head.size,
      size <= Int64(rest.count - head.length)
    else { return nil }
    let body = rest.dropFirst(head.length)
    rest = body.dropFirst(Int(size))
    return Element(id: head.id, content: body.prefix(Int(size)))
  }
}

extension ArraySlice<UInt8> {
  /// The value of an unsigned integer (RFC 8794, 7.2).
  var number: UInt64 { suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
