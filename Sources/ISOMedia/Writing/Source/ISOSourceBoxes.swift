/// Everything in a file's header that a cut carries over, kept as bytes.
///
/// Read once alongside ``ISOMovie``, which parses the same header; memory use follows from the size of
/// `moov`, within ``ISOLimits``.
package struct ISOSourceBoxes: Sendable {
  package var movie: ISOMovieBoxes
  /// In the order of ``ISOMovie/tracks``.
  package var tracks: [ISOTrackBoxes] = []

  /// - Parameter listed: the boxes at its top level, where they are known.
  /// - Throws: ``ISOError`` when there is no `moov`, a limit is exceeded or the file cannot be read.
  package init(
    reading file: some RandomAccessBytes, listed: [ISOMovie.TopLevelBox]? = nil,
    limits: ISOLimits = ISOLimits()
  ) throws(ISOError) {
    let source = FileSource(file: file, limits: limits)
    var log = ProblemLog(limit: limits.problems)
    let topLevel = if let listed { listed } else { try source.topLevelBoxes(&log) }
    movie = ISOMovieBoxes(brands: nil)
    guard let header = topLevel.first(where: { $0.type == "moov" }) else {
      throw ISOError(.missingMovie, "there is no “moov” box, so nothing describes the media")
    }
    if let box = topLevel.first(where: { $0.type == "ftyp" }) {
      movie.brands = ISOBrands(try source.payload(of: box, atMost: 4096))
    }
    let moov = try source.movieHeader(at: header).box
    for box in moov.children().prefix(Self.mostBoxes) {
      if box.type == "trak" {
        guard tracks.count < limits.tracks else {
          throw ISOError(
            .limitExceeded(.tracks), at: box.offset,
            "the file has more than \(limits.tracks) tracks")
        }
        tracks.append(ISOTrackBoxes(box))
      } else {
        movie.keep(box)
      }
    }
    try readFileBoxes(topLevel, source)
  }

  static let mostBoxes = 10_000
  private static let mostFileBoxes = 64

  private mutating func readFileBoxes(
    _ topLevel: [ISOMovie.TopLevelBox], _ source: FileSource<some RandomAccessBytes>
  ) throws(ISOError) {
    let structural: Set<FourCC> = [
      "ftyp", "moov", "mdat", "free", "skip", "wide", "moof", "styp", "sidx", "ssix", "mfra",
    ]
    var bytesLeft = Int64(source.limits.headerBytes)
    // What follows the first fragment is about fragments.
    for box in topLevel.prefix(while: { $0.type != "moof" }) where !structural.contains(box.type) {
      bytesLeft -= box.size
      guard box.type == "uuid" || box.type == "meta", !box.isTruncated, bytesLeft >= 0,
        movie.fileBoxes.count < Self.mostFileBoxes
      else {
        movie.drop(box.type)
        continue
      }
      let payload = try source.payload(of: box)
      // An item location table has offsets into the old file.
      let meta = Box(type: box.type, offset: box.offset, payload: payload)
      if box.type == "meta", meta.children(after: 4).contains(where: { $0.type == "iloc" }) {
        movie.drop(box.type)
      } else {
        movie.fileBoxes.append(ISORawBox(box.type, payload: payload.bytes))
      }
    }
  }
}

extension ISOBrands {
  fileprivate init(_ payload: ByteView) {
    var fields = FieldReader(payload)
    self.init(major: fields.fourCC(), minorVersion: fields.u32(), compatible: [])
    while fields.remaining >= 4 {
      let brand = fields.fourCC()
      if brand.rawValue != 0 { compatible.append(brand) }
    }
  }
}

extension ISOMovieBoxes {
  fileprivate mutating func keep(_ box: Box) {
    switch box.type {
    case "mvhd": readHeader(box)
    case "udta":
      for child in box.children().prefix(ISOSourceBoxes.mostBoxes) {
        if child.type == "chpl" {
          hasChapterList = true
        } else {
          userData.append(ISORawBox(child))
        }
      }
    // `mvex` is regenerated for fragmented output; `iods` duplicates data in the sample entries.
    case "mvex": break
    case "free", "skip": break
    case "iods", "cmov", "rmra": drop(box.type)
    default: boxes.append(ISORawBox(box))
    }
  }

  mutating func drop(_ type: FourCC) {
    if !dropped.contains(type) { dropped.append(type) }
  }

  private mutating func readHeader(_ box: Box) {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    creationTime = fields.u32or64(version: version)
    _ = fields.u32or64(version: version)
    timescale = fields.u32()
    _ = fields.u32or64(version: version)
    rate = fields.u32()
    volume = fields.u16()
    fields.skip(10)
    let matrix = ISOMatrix(&fields)
    fields.skip(24)
    nextTrackID = fields.u32()
    if !fields.isShort { self.matrix = matrix }
  }
}
