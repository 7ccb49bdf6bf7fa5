import ExactTime

/// Reads one `trak` box.
struct TrackParser {
  let limits: ISOLimits
  let byteCount: Int64
  let movieMatrix: DisplayMatrix
  var track = ISOTrack()

  init(limits: ISOLimits, byteCount: Int64, movieMatrix: DisplayMatrix) {
    self.limits = limits
    self.byteCount = byteCount
    self.movieMatrix = movieMatrix
    track.limits = limits
    track.fileByteCount = byteCount
  }

  mutating func read(_ trak: Box, _ log: inout ProblemLog) throws(ISOError) {
    let boxes = Array(trak.children().prefix(Self.mostBoxes))
    // The header first, so that problems in the others have the track_ID.
    if let header = boxes.first(where: { $0.type == "tkhd" }) { readHeader(header, &log) }
    log.trackID = track.id
    var media: Box?
    try log.forEachBox(in: trak.children(), of: "trak") { (log, box) throws(ISOError) in
      switch box.type {
      case "mdia": media = media ?? box
      case "edts":
        try log.forEachBox(in: box.children(), of: "edts") { (log, list) throws(ISOError) in
          if list.type == "elst", track.edits.isEmpty { readEdits(list, &log) }
        }
      case "tref": readReferences(box)
      case "udta", "meta": track.readMetadata(box, limits, &log)
      default: break
      }
    }
    guard let media else {
      log.note(.missingBox, at: trak.offset, "track \(track.id) has no “mdia” box")
      return
    }
    try readMedia(media, &log)
    track.sumUp(&log)
  }

  private static let mostBoxes = 10_000

  private mutating func readHeader(_ box: Box, _ log: inout ProblemLog) {
    var fields = box.fields
    let (version, flags) = fields.fullBoxHeader()
    _ = fields.u32or64(version: version)
    _ = fields.u32or64(version: version)
    track.id = fields.u32()
    fields.skip(4)
    let raw = fields.u32or64(version: version)
    track.isEnabled = flags & 1 != 0
    log.trackID = track.id
    track.headerDuration = log.duration(raw, version: version, of: box)
    fields.skip(8)
    fields.skip(2)
    track.alternateGroup = fields.i16()
    fields.skip(4)
    let matrix = DisplayMatrix(&fields)
    let width = fields.u32()
    let height = fields.u32()
    guard !fields.isShort else {
      log.note(.malformedBox, at: box.offset, "“tkhd” is too short for its fields")
      return
    }
    track.orientation = ISOOrientation(matrix.followed(by: movieMatrix))
    track.displayWidth = Int(width >> 16)
    track.displayHeight = Int(height >> 16)
  }

  private mutating func readEdits(_ list: Box, _ log: inout ProblemLog) {
    var fields = list.fields
    let version = fields.fullBoxHeader().version
    let claimed = Int(fields.u32())
    let size = version == 1 ? 20 : 12
    let held = min(claimed, fields.remaining / size)
    if held < claimed {
      log.note(
        .countImpossible, at: list.offset, count: Int64(claimed),
        "the edit list claims \(claimed) entries but has room for only \(held)")
    }
    if held > limits.edits {
      log.note(
        .limitReached, at: list.offset, count: Int64(held),
        "only the first \(limits.edits) of \(held) edits are read")
    }
    track.edits.reserveCapacity(min(held, limits.edits))
    for _ in 0..<min(held, limits.edits) {
      let duration = fields.u32or64(version: version)
      let time = version == 1 ? Int64(bitPattern: fields.u64()) : Int64(fields.i32())
      let rate = Rational(Int64(fields.i16()), 1)
      let fraction = fields.u16()
      // An integer and 65,536ths, both well within 64 bits.
      let exact = (try? rate.adding(Rational(Int64(fraction), 65_536))) ?? rate
      track.edits.append(ISOEdit(segmentDuration: duration, mediaTime: time, rate: exact))
    }
    if let odd = track.edits.first(where: { $0.rate != .one && !$0.isEmpty }) {
      log.note(.unusualEditRate, at: list.offset, "the edit list plays at the rate \(odd.rate)")
    }
  }

  private mutating func readReferences(_ box: Box) {
    for child in box.children().prefix(100) {
      var fields = child.fields
      var ids: [UInt32] = []
      while fields.remaining >= 4, ids.count < limits.tracks { ids.append(fields.u32()) }
      track.references[child.type, default: []].append(contentsOf: ids)
    }
  }
}
