extension ISOMovie {
  /// True when a file that begins with these bytes is read as ISO base media.
  ///
  /// Eight bytes suffice. QuickTime movies that predate `ftyp` begin with their media or header, segments
  /// with theirs.
  package static func looksLikeISO(firstBytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(firstBytes.prefix(16))
    guard bytes.count >= 8 else { return false }
    let view = ByteView(bytes, fileOffset: 0)
    let size = view.u32(0)
    guard size == 0 || size == 1 || size >= 8 else { return false }
    return openingTypes.contains(view.fourCC(4))
  }

  /// The size in bytes of a file's headers, `moov` and all `moof`, from its top-level boxes only.
  ///
  /// The time and memory for reading the movie grow with it. 0 if there are none.
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

  /// Whether an index leads over fragments of a file that would cost requests.
  package static func hasIndexedFragments(in file: some RandomAccessBytes) -> Bool {
    let limits = ISOLimits()
    var log = ProblemLog(limit: limits.problems)
    var walk: FragmentWalk?
    let source = FileSource(file: file, limits: limits)
    return (try? source.topLevelBoxes(.parts([]), &walk, &log)) != nil && walk != nil
  }

  private static let openingTypes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx",
  ]
}
