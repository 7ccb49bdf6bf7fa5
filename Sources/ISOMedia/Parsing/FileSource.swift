/// Reads boxes from the file, within the limits.
struct FileSource<File: RandomAccessBytes> {
  let file: File
  let limits: ISOLimits

  func read(at offset: Int64, count: Int) throws(ISOError) -> [UInt8] {
    do {
      return try file.read(at: offset, count: count)
    } catch {
      throw ISOError(
        .readFailed, at: offset, "reading \(count) bytes at byte \(offset) failed: \(error)",
        cause: error)
    }
  }

  /// How much is asked for at once where the index may begin.
  private static var mostOfIndex: Int64 { 512 << 10 }
  /// The same for the header of a fragment behind media that is not read, and the media up to which reading on
  /// costs less than another request.
  private static var mostOfFragment: Int64 { 64 << 10 }
  private static var mostReadThrough: Int64 { 256 << 10 }
  /// The most media that is asked for together with the headers of its fragments.
  private static var mostAtOnce: Int64 { 31 << 20 }

  /// Lists all top-level boxes by reading only their headers.
  func topLevelBoxes(_ log: inout ProblemLog) throws(ISOError) -> [ISOMovie.TopLevelBox] {
    var walk: FragmentWalk?
    return try topLevelBoxes(.all, &walk, &log)
  }

  /// Lists the top-level boxes.
  ///
  /// - Parameters:
  ///   - fragments: which of those are left out that an index names, where they cost requests.
  ///   - walk: what was left out; `nil` where nothing was.
  func topLevelBoxes(
    _ fragments: ISOMovie.Fragments, _ walk: inout FragmentWalk?, _ log: inout ProblemLog
  ) throws(ISOError) -> [ISOMovie.TopLevelBox] {
    var boxes: [ISOMovie.TopLevelBox] = []
    var parts = fragments.parts
    let end = file.byteCount
    var offset: Int64 = 0
    while end - offset >= 8 {
      guard boxes.count < limits.topLevelBoxes else {
        throw ISOError(
          .limitExceeded(.topLevelBoxes), at: offset,
          "more than \(limits.topLevelBoxes) boxes at the top level")
      }
      // The index is expected there, before it is known how large it is.
      if !boxes.contains(where: { $0.type == "moov" }) {
        file.expect(offset..<min(end, offset + Self.mostOfIndex))
      } else if let last = boxes.last, last.size > Self.mostReadThrough {
        let size = boxes.last { $0.type == "moof" }?.size ?? 0
        file.expect(offset..<min(end, offset + max(Self.mostOfFragment, min(size, 1 << 20) * 2)))
      }
      if let some = parts, boxes.contains(where: { $0.type == "moof" }),
        !file.isAtHand(offset..<min(end, offset + 16))
      {
        parts = nil
        walk = FragmentWalk(fragmentIndex(boxes, to: offset), some)
        if let next = walk?.leave(at: offset) {
          offset = begin(next)
          continue
        }
      } else if let last = boxes.last, walk?.isLeft(behind: last) == true,
        let next = walk?.leave(at: offset)
      {
        offset = begin(next)
        continue
      }
      let header = ByteView(try read(at: offset, count: 16), fileOffset: offset)
      let found = Self.box(header, at: offset, end: end)
      if walk?.gaps.last?.upperBound == offset, !FragmentWalk.openings.contains(header.fourCC(4)) {
        walk?.isContradicted = true
        return boxes
      }
      guard let box = found else {
        if let next = nextBox(behind: offset) {
          log.note(
            .malformedBox, at: offset, count: next - offset,
            Self.malformed(header, at: offset, next: next))
          offset = next
          continue
        }
        log.note(
          .trailingBytes, at: offset, count: end - offset,
          "the last \(end - offset) bytes, from byte \(offset) on, are not a box")
        return boxes
      }
      boxes.append(box)
      if box.isTruncated {
        let missing = box.size - (end - offset)
        log.note(
          .truncatedBox, at: offset, count: missing,
          "box “\(box.type)” at byte \(offset) ends \(missing) bytes beyond the file")
        return boxes
      }
      offset += box.size
    }
    if end > offset {
      log.note(
        .trailingBytes, at: offset, count: end - offset,
        "the last \(end - offset) bytes, from byte \(offset) on, are not a box")
    }
    return boxes
  }

  /// Says that fragments will be read, and their media if that is not much.
  ///
  /// - Returns: where they begin.
  private func begin(_ part: ISOFragmentPart) -> Int64 {
    let head = min(file.byteCount, part.start + 2 * Self.mostOfFragment)
    let media = min(part.mediaEnd, file.byteCount - 4 * Self.mostOfFragment)
    let isLittle = media > part.start && media - part.start <= Self.mostAtOnce
    file.expect(part.start..<(isLittle ? media + 4 * Self.mostOfFragment : head))
    return part.start
  }

  private static func malformed(_ header: ByteView, at offset: Int64, next: Int64) -> String {
    let type = header.fourCC(4)
    let what =
      type.isPrintable
      ? "box “\(type)” at byte \(offset) claims \(header.u32(0)) bytes, less than its own header"
      : "the bytes from \(offset) on are not a box"
    return what + "; reading continues at byte \(next)"
  }

  static func box(
    _ header: ByteView, at offset: Int64, end: Int64
  ) -> ISOMovie.TopLevelBox? {
    let type = header.fourCC(4)
    guard type.isPrintable else { return nil }
    var size = Int64(header.u32(0))
    if size == 0 { size = end - offset }
    if size == 1 {
      size = Int64(min(header.u64(8), 1 << 62))
      guard size >= 16 else { return nil }
    }
    guard size >= 8 else { return nil }
    return ISOMovie.TopLevelBox(
      type: type, offset: offset, size: size, isTruncated: size > end - offset)
  }

  /// The bytes of a box after its header, up to the end of the file.
  func payload(
    of box: ISOMovie.TopLevelBox, atMost limit: Int = .max
  ) throws(ISOError) -> ByteView {
    let available = min(box.size, file.byteCount - box.offset, Int64(limit))
    guard available <= Int64(limits.headerBytes) else {
      throw ISOError(
        .limitExceeded(.headerBytes), at: box.offset,
        "the “\(box.type)” box is \(available) bytes long, more than the \(limits.headerBytes) "
          + "that are read")
    }
    file.expect(box.offset..<box.offset + available)
    let view = ByteView(
      try read(at: box.offset, count: Int(available)), fileOffset: box.offset)
    let is64 = view.u32(0) == 1
    return view.slice(from: is64 ? 16 : 8)
  }
}
