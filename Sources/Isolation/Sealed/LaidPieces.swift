import MediaEngine

extension [CutLayout.Piece] {
  /// The serialized form: three 8-byte integers per piece, little-endian.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 24)
    for piece in self {
      for word in [piece.isMade ? 1 : 0, piece.offset, piece.count] {
        Swift.withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// - Parameters:
  ///   - source: the size of the source in bytes.
  ///   - made: the size of the other file in bytes.
  /// - Returns: `nil` for anything that cannot be pieces of these two: the data comes from a process that a
  ///   file may have taken over.
  init?(_ bytes: [UInt8], source: Int64, made: Int64) {
    guard bytes.count.isMultiple(of: 24) else { return nil }
    func word(_ place: Int) -> Int64 {
      Int64(
        bitPattern: bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    self = []
    reserveCapacity(bytes.count / 24)
    var sum: Int64 = 0
    for place in stride(from: 0, to: bytes.count, by: 24) {
      let (kind, offset, count) = (word(place), word(place + 8), word(place + 16))
      let size = kind == 1 ? made : source
      guard 0...1 ~= kind, offset >= 0, count > 0, count <= size, offset <= size - count,
        sum < 1 << 60
      else { return nil }
      sum += count
      append(CutLayout.Piece(isMade: kind == 1, offset: offset, count: count))
    }
  }
}
