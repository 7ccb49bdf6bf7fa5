/// Covers that stand before the tracks of an MP4, where taggers put them into files without any tags: FFmpeg numbers
/// its streams in the order of the boxes, so that each track had another's number.
enum EarlyCovers {
  /// Passed over, covers have no number.
  static func patches(for file: InputFile) -> [OverlaidInput.Patch] {
    guard let end = file.byteCount,
      let movie = children(of: 0..<end, in: file).first(where: { $0.type == "moov" })
    else { return [] }
    let boxes = children(of: movie.content, in: file)
    return boxes.prefix { $0.type != "trak" }.flatMap { covers(in: $0, of: file, depth: 0) }
      .map { OverlaidInput.Patch(place: $0 + 4, bytes: Array("free".utf8)) }
  }

  private struct Box {
    var type: String
    var start: Int64
    var content: Range<Int64>
  }

  /// `udta`, `meta` and `ilst` hold each other, and a cover (QuickTime File Format, metadata).
  private static func covers(in box: Box, of file: InputFile, depth: Int) -> [Int64] {
    if box.type == "covr" { return [box.start] }
    guard ["udta", "meta", "ilst"].contains(box.type), depth < 4 else { return [] }
    var content = box.content
    // A full box has four bytes more, which QuickTime's has not.
    if box.type == "meta", let first = children(of: content, in: file).first, first.type != "hdlr" {
      content = min(content.upperBound, content.lowerBound + 4)..<content.upperBound
    }
    return children(of: content, in: file).flatMap { covers(in: $0, of: file, depth: depth + 1) }
  }

  private static func children(of range: Range<Int64>, in file: InputFile) -> [Box] {
    var boxes: [Box] = []
    var place = range.lowerBound
    while place + 8 <= range.upperBound, boxes.count < mostBoxes {
      let head = file.bytes(in: place..<min(range.upperBound, place + 16), atMost: 16)
      guard head.count >= 8 else { break }
      var (size, header) = (number(head[..<4]), Int64(8))
      if size == 1, head.count == 16 { (size, header) = (number(head[8...]), 16) }
      if size == 0 { size = range.upperBound - place }
      guard size >= header, size <= range.upperBound - place else { break }
      boxes.append(
        Box(
          type: String(decoding: head[4..<8], as: UTF8.self), start: place,
          content: place + header..<place + size))
      place += size
    }
    return boxes
  }

  /// At most 62 bits: no file is longer.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & (1 << 62 - 1))
  }

  private static let mostBoxes = 10_000
}
