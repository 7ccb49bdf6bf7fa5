extension TrackParser {
  /// Reads `mdia`: the media header, the handler and the sample tables.
  mutating func readMedia(_ mdia: Box, _ log: inout ProblemLog) throws(ISOError) {
    var information: Box?
    try log.forEachBox(in: mdia.children(), of: "mdia") { (log, box) throws(ISOError) in
      switch box.type {
      case "mdhd": readMediaHeader(box, &log)
      case "hdlr":
        track.handler = box.payload.fourCC(8)
        track.handlerName = Text.handlerName(box.payload.slice(from: 24))
      case "elng": readExtendedLanguage(box)
      case "minf": information = information ?? box
      default: break
      }
    }
    if track.timescale == nil {
      log.note(.zeroTimescale, at: mdia.offset, "track \(track.id) has no timescale (“mdhd”)")
    }
    guard let information else {
      log.note(.missingBox, at: mdia.offset, "track \(track.id) has no “minf” box")
      return
    }
    var references: Box?
    var table: Box?
    try log.forEachBox(in: information.children(), of: "minf") { (_, box) throws(ISOError) in
      if box.type == "dinf" { references = box.children().first { $0.type == "dref" } }
      if box.type == "stbl" { table = table ?? box }
    }
    guard let table else {
      log.note(.missingBox, at: information.offset, "track \(track.id) has no “stbl” box")
      return
    }
    try readSampleTable(table, &log)
    if let references { readDataReferences(references, &log) }
  }

  private mutating func readMediaHeader(_ box: Box, _ log: inout ProblemLog) {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    let created = fields.u32or64(version: version)
    _ = fields.u32or64(version: version)
    let timescale = Int64(fields.u32())
    let raw = fields.u32or64(version: version)
    guard !fields.isShort else {
      log.note(.malformedBox, at: box.offset, "“mdhd” is too short for its fields")
      return
    }
    track.timescale = timescale > 0 ? timescale : nil
    track.timescaleOffset = box.payload.fileOffset + (version == 1 ? 20 : 12)
    track.tags.addCreationTime(MacintoshTime.unixSeconds(created))
    track.mediaDuration = log.duration(raw, version: version, of: box)
    track.language = track.language ?? Language.code(fields.u16())
  }

  private mutating func readExtendedLanguage(_ box: Box) {
    guard let tag = Text.nonEmpty(box.payload.slice(from: 4, count: 100)) else { return }
    track.language = tag
  }

  private mutating func readSampleTable(_ stbl: Box, _ log: inout ProblemLog) throws(ISOError) {
    try log.forEachBox(in: stbl.children(), of: "stbl") { (log, box) throws(ISOError) in
      switch box.type {
      case "stsd": readDescriptions(box, &log)
      case "cslg": readCompositionShift(box)
      default: track.tables.keep(box, &log)
      }
    }
    if track.sampleEntries.isEmpty {
      log.note(
        .missingBox, at: stbl.offset, "track \(track.id) has no sample description (“stsd”)")
    }
  }

  private mutating func readDescriptions(_ stsd: Box, _ log: inout ProblemLog) {
    let version = stsd.payload.u8(0)
    for box in stsd.children(after: 8).prefix(Self.mostDescriptions) where !box.isPadding {
      track.sampleEntries.append(
        ISOSampleEntry(box, handler: track.handler, descriptionVersion: version))
      if box.type == "tmcd" { readTimecode(box) }
    }
  }

  private static let mostDescriptions = 256

  private mutating func readTimecode(_ box: Box) {
    var fields = box.fields
    fields.skip(12)
    let timecode = ISOTimecode(
      flags: fields.u32(), timescale: fields.u32(), frameDuration: fields.u32(),
      framesPerSecond: fields.u8())
    if !fields.isShort { track.timecode = track.timecode ?? timecode }
  }

  private mutating func readCompositionShift(_ box: Box) {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    func value() -> Int64 {
      version == 0 ? Int64(fields.i32()) : Int64(bitPattern: fields.u64())
    }
    let shift = ISOCompositionShift(
      compositionToDecodeShift: value(), leastOffset: value(), greatestOffset: value(),
      compositionStart: value(), compositionEnd: value())
    if !fields.isShort { track.compositionShift = shift }
  }

  /// Determines whether the samples are in this file (flag 1 of each reference, 8.7.2).
  private mutating func readDataReferences(_ dref: Box, _ log: inout ProblemLog) {
    let external = dref.children(after: 8).prefix(1000).enumerated().filter { _, reference in
      reference.payload.u32(0) & 1 == 0
    }
    let places = Set(external.map { $0.offset + 1 })
    let entries = track.sampleEntries.enumerated().filter {
      places.contains(Int($0.element.dataReferenceIndex))
    }
    track.externalEntries = Set(entries.map { UInt32($0.offset + 1) })
    guard let used = entries.first?.element.dataReferenceIndex,
      let first = external.first(where: { $0.offset + 1 == Int(used) })
    else { return }
    let isWhole = track.externalEntries.count == track.sampleEntries.count
    track.isExternal = isWhole
    log.note(
      .externalReference, at: first.element.offset,
      "\(isWhole ? "the" : "some") media of track \(track.id) are in another file "
        + "(“\(first.element.type)”), which is never opened; they cannot be shown")
  }
}
