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

  private static let openingTypes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx",
  ]
}
