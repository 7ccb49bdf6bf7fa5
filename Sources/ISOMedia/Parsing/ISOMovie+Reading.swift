extension ISOMovie {
  /// How many of a file's fragments are read.
  package enum Fragments: Sendable {
    case all
    /// Those at both ends where that costs less and an index states the others, with or without their sync
    /// samples.
    case indexed(keyframes: Bool)
    /// Those, and some between them.
    case parts([ISOFragmentPart])

    /// Those between both ends; `nil` where all are read.
    var parts: [ISOFragmentPart]? {
      switch self {
      case .all: nil
      case .indexed: []
      case .parts(let parts): parts
      }
    }
  }

  /// Reads the headers of a file.
  ///
  /// - Throws: ``ISOError`` when the file is not ISO base media, has no `moov`, exceeds a limit or
  ///   cannot be read.
  package init(
    reading file: some RandomAccessBytes, limits: ISOLimits = ISOLimits(),
    fragments: Fragments = .all
  ) throws(ISOError) {
    guard let movie = try Self(file, limits, fragments) else {
      // What an index states does not fit the fragments that were read.
      self = try Self(reading: file, limits: limits)
      return
    }
    self = movie
  }

  /// Reads both ends of a fragmented file and some fragments between them, and takes the others to hold what
  /// follows from these: see ``ISOTrack/assumed``.
  ///
  /// - Parameter parts: in file order, without overlap.
  /// - Returns: `nil` where nothing follows, or nothing is left out.
  package init?(
    reading file: some RandomAccessBytes, limits: ISOLimits, parts: [ISOFragmentPart]
  ) throws(ISOError) {
    guard let movie = try Self(file, limits, .parts(parts)),
      movie.tracks.contains(where: { $0.assumed != nil })
    else { return nil }
    self = movie
  }

  /// - Returns: `nil` where an index does not fit the fragments that were read.
  private init?(
    _ file: some RandomAccessBytes, _ limits: ISOLimits, _ fragments: Fragments
  ) throws(ISOError) {
    let source = FileSource(file: file, limits: limits)
    var log = ProblemLog(limit: limits.problems)
    byteCount = file.byteCount
    guard Self.looksLikeISO(firstBytes: try source.read(at: 0, count: 16)) else {
      throw ISOError(.notISO, at: 0, "the first bytes are not those of an MP4 or QuickTime file")
    }
    var walk: FragmentWalk?
    topLevel = try source.topLevelBoxes(fragments, &walk, &log)
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
    parser.walk = walk
    try readFragments(source, &parser, &log)
    var ends: [UInt32: ISOUnreadFragments]?
    var assumed: [UInt32: ISOAssumedFragments] = [:]
    if walk != nil {
      switch fragments {
      case .parts:
        guard let found = parser.assume(tracks) else { return nil }
        assumed = found
      case .indexed(let needsKeyframes):
        ends = parser.ends(tracks, needsKeyframes: needsKeyframes)
        guard ends != nil else { return nil }
      case .all: break
      }
    }
    try parser.finish(&self, &log)
    if let ends, let walk { add(ends, of: walk.index) }
    for place in tracks.indices { tracks[place].assumed = assumed[tracks[place].id] }
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
