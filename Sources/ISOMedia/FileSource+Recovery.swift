extension FileSource {
  /// How far after a broken header to search for a box.
  private static var reach: Int { 1 << 20 }

  /// The offset of the next box after an invalid header.
  ///
  /// A box with a size below that of its header is usually only a header; otherwise the next offset
  /// of two consecutive boxes of known top-level types, or of one that extends to the end of the
  /// file.
  func nextBox(behind offset: Int64) -> Int64? {
    if isBox(at: offset + 8) { return offset + 8 }
    guard let bytes = try? read(at: offset, count: Self.reach) else { return nil }
    let view = ByteView(bytes, fileOffset: offset)
    var position = 9
    while position + 8 <= view.count {
      if ISOMovie.topLevelTypes.contains(view.fourCC(position + 4)),
        isBox(at: offset + Int64(position))
      {
        return offset + Int64(position)
      }
      position += 1
    }
    return nil
  }

  /// True where a known top-level box begins that is followed by another one or by the end of the
  /// file.
  private func isBox(at offset: Int64) -> Bool {
    guard let box = knownBox(at: offset) else { return false }
    let next = offset + box.size
    return file.byteCount - next < 8 || knownBox(at: next) != nil
  }

  private func knownBox(at offset: Int64) -> ISOMovie.TopLevelBox? {
    guard file.byteCount - offset >= 8, let bytes = try? read(at: offset, count: 16),
      let box = Self.box(
        ByteView(bytes, fileOffset: offset), at: offset, end: file.byteCount),
      ISOMovie.topLevelTypes.contains(box.type)
    else { return nil }
    return box
  }
}

/// Bytes at the top level of a file that belong to no box and are followed by another box.
package struct ISOGap: Hashable, Sendable {
  package var offset: Int64
  package var byteCount: Int64

  /// The header of a box that fills the gap, so that readers that stop at a malformed box continue.
  package var filling: [UInt8] {
    let size = UInt32(clamping: byteCount)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("free".utf8)
  }
}

extension ISOMovie {
  static let topLevelTypes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx", "mfra", "uuid",
    "meta", "pdin", "emsg", "ssix", "prft", "udta",
  ]

  /// The gaps before the header of a file; none in other formats.
  package static func gaps(in file: some RandomAccessBytes) -> [ISOGap] {
    let source = FileSource(file: file, limits: ISOLimits())
    guard let first = try? source.read(at: 0, count: 16), looksLikeISO(firstBytes: first) else {
      return []
    }
    var gaps: [ISOGap] = []
    var offset: Int64 = 0
    // The header is among the first boxes, or after the media.
    for _ in 0..<64 {
      guard file.byteCount - offset >= 8, let bytes = try? source.read(at: offset, count: 16) else {
        break
      }
      let header = ByteView(bytes, fileOffset: offset)
      if let box = type(of: source).box(header, at: offset, end: file.byteCount) {
        if box.type == "moov" || box.isTruncated { break }
        offset += box.size
      } else if let next = source.nextBox(behind: offset) {
        gaps.append(ISOGap(offset: offset, byteCount: next - offset))
        offset = next
      } else {
        break
      }
    }
    return gaps
  }
}
