extension ISOMovie {
  /// How many of a file's fragments are read.
  package enum Fragments: Sendable {
    case all
    /// Those at both ends where that costs less and an index states the others, with or without their sync
    /// samples.
    case indexed(keyframes: Bool)
  }

  /// Reads the headers of a file.
  ///
  /// - Throws: ``ISOError`` when the file is not ISO base media, has no `moov`, exceeds a limit or
  ///   cannot be read.
  package init(
    reading file: some RandomAccessBytes, limits: ISOLimits = ISOLimits(),
    fragments: Fragments = .all
  ) throws(ISOError) {
    let source = FileSource(file: file, limits: limits)
    var log = ProblemLog(limit: limits.problems)
    byteCount = file.byteCount
    guard Self.looksLikeISO(firstBytes: try source.read(at: 0, count: 16)) else {
      throw ISOError(.notISO, at: 0, "the first bytes are not those of an MP4 or QuickTime file")
    }
    var (skipsFragments, needsKeyframes) = (false, false)
    if case .indexed(let keyframes) = fragments {
      (skipsFragments, needsKeyframes) = (true, keyframes)
    }
    var index: FragmentIndex?
    topLevel = try source.topLevelBoxes(skippingFragments: skipsFragments, &index, &log)
    if let brands = topLevel.first(where: { $0.type == "ftyp" }) {
      readBrands(try source.payload(of: brands, atMost: 4096))
    }
    guard let header = topLevel.first(where: { $0.type == "moov" }) else {
      throw Self.missingMovie(topLevel, byteCount: byteCount)
    }
    for box in topLevel where box.type == "moov" && box.offset != header.offset {
      log.note(
        .duplicateBox, at: box.offset, "a second “moov” at byte \(box.offset) is ignored")
    }
    var parser = MovieParser(byteCount: byteCount, limits: limits)
    let (moov, isUnpacked) = try source.movieHeader(at: header)
    try parser.read(moov, into: &self, &log)
    if isUnpacked {
      isHeaderUnpacked = true
      coverArt = []
    }
    parser.indexed = index?.last
    try readFragments(source, &parser, &log)
    let ends = parser.ends(of: index, tracks, needsKeyframes: needsKeyframes)
    if index != nil, ends == nil {
      // What it states does not fit the fragments that were read.
      self = try Self(reading: file, limits: limits)
      return
    }
    try parser.finish(&self, &log)
    add(ends, of: index)
    try readEmbeddedSamples(source, limits, &log)
    problems = log.problems
  }

  private mutating func readBrands(_ payload: ByteView) {
    var fields = FieldReader(payload)
    majorBrand = fields.fourCC()
    minorVersion = fields.u32()
    while fields.remaining >= 4 {
      let brand = fields.fourCC()
      if brand.rawValue != 0 { compatibleBrands.append(brand) }
    }
  }

  private mutating func readFragments(
    _ source: FileSource<some RandomAccessBytes>, _ parser: inout MovieParser,
    _ log: inout ProblemLog
  ) throws(ISOError) {
    segmentIndexCount = topLevel.count(where: { $0.type == "sidx" })
    var bytesLeft = Int64(source.limits.headerBytes)
    for box in topLevel where box.type == "moof" {
      isFragmented = true
      movieFragmentCount += 1
      bytesLeft -= box.size
      guard bytesLeft >= 0 else {
        throw ISOError(
          .limitExceeded(.headerBytes), at: box.offset,
          "the fragment headers are larger than \(source.limits.headerBytes) bytes in all")
      }
      try parser.readFragment(
        Box(type: "moof", offset: box.offset, payload: try source.payload(of: box)),
        into: self, &log)
    }
  }

  private static func missingMovie(_ boxes: [TopLevelBox], byteCount: Int64) -> ISOError {
    if let fragment = boxes.first(where: { $0.type == "moof" }) {
      return ISOError(
        .missingInitialization, at: fragment.offset,
        "this is a media segment without its initialization segment: there is no “moov” box")
    }
    if let items = boxes.first(where: { $0.type == "meta" }) {
      return ISOError(
        .stillPictures, at: items.offset, "it contains still pictures (HEIF, AVIF) but no video")
    }
    if let cut = boxes.first(where: \.isTruncated) {
      return ISOError(
        .missingMovie, at: byteCount,
        "the file ends inside its “\(cut.type)” box, before the “moov” box that describes it")
    }
    return ISOError(.missingMovie, "there is no “moov” box, so nothing describes the media")
  }
}
