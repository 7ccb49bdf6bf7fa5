extension ISOMovie {
  /// True when a file that begins with these bytes is read as ISO base media.
  ///
  /// Eight bytes suffice. QuickTime movies from before `ftyp` begin with their media or their
  /// header, segments with theirs.
  package static func looksLikeISO(firstBytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(firstBytes.prefix(16))
    guard bytes.count >= 8 else { return false }
    let view = ByteView(bytes, fileOffset: 0)
    let size = view.u32(0)
    guard size == 0 || size == 1 || size >= 8 else { return false }
    return openingTypes.contains(view.fourCC(4))
  }

  /// How many bytes of headers a file has, `moov` and all `moof`, by the boxes at its top level alone.
  ///
  /// What reading the movie costs, in time and in memory, grows with it. 0 where none can be found.
  package static func headerByteCount(
    of file: some RandomAccessBytes, limits: ISOLimits = ISOLimits()
  ) -> Int64 {
    var log = ProblemLog(limit: limits.problems)
    guard let boxes = try? FileSource(file: file, limits: limits).topLevelBoxes(&log) else {
      return 0
    }
    return boxes.reduce(0) { sum, box in
      guard box.type == "moov" || box.type == "moof" else { return sum }
      return sum.clampedSum(min(box.size, file.byteCount - box.offset))
    }
  }

  private static let openingTypes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx",
  ]
}
