/// What a file's header holds besides the structure that every writer makes anew: its boxes by type
/// and place, without their content.
package struct ISOPartWalk: Sendable {
  /// A box that is not structure.
  package struct Part: Hashable, Sendable {
    package var type: FourCC
    /// Such as `moov` or `moov/udta`; for boxes of a track, the place within it.
    package var place: String
    /// Its index among the tracks; `nil` for boxes of the file.
    package var track: Int?
    package var byteCount: Int64
  }

  package private(set) var parts: [Part] = []
  /// Bytes after the last box that are not a box: where they begin.
  package private(set) var trailing: Range<Int64>?

  /// - Throws: ``ISOError`` when there is no `moov`, a limit is exceeded or the file cannot be read.
  package init(
    reading file: some RandomAccessBytes, limits: ISOLimits = ISOLimits()
  ) throws(ISOError) {
    let source = FileSource(file: file, limits: limits)
    var log = ProblemLog(limit: limits.problems)
    let boxes = try source.topLevelBoxes(&log)
    for problem in log.problems where problem.kind == .trailingBytes {
      guard let offset = problem.byteOffset else { continue }
      trailing = offset..<max(offset, file.byteCount)
    }
    for box in boxes where !Self.ofFile.contains(box.type) {
      add(box.type, "file", nil, min(box.size, file.byteCount - box.offset))
    }
    guard let header = boxes.first(where: { $0.type == "moov" }) else { return }
    var track = 0
    for box in try source.movieHeader(at: header).box.children().prefix(ISOSourceBoxes.mostBoxes) {
      if box.type == "trak" {
        walk(box, "", track)
        track += 1
      } else if box.type == "udta" {
        walk(box, "moov/udta", nil)
      } else if !Self.structure.contains(box.type) {
        add(box.type, "moov", nil, Int64(box.payload.count) + 8)
      }
    }
  }

  private mutating func walk(_ box: Box, _ place: String, _ track: Int?) {
    var handler: FourCC = "    "
    for child in box.children().prefix(ISOSourceBoxes.mostBoxes) {
      if child.type == "hdlr" { handler = child.payload.fourCC(8) }
      if let track, Self.containers.contains(child.type) {
        walk(child, place.isEmpty ? "\(child.type)" : "\(place)/\(child.type)", track)
      } else if !Self.structure.contains(child.type), child.type.rawValue != 0 {
        add(child.type, place, track, Int64(child.payload.count) + 8)
      }
    }
    guard let track, box.type == "mdia" else { return }
    let table = box.children().first { $0.type == "minf" }?
      .children().first { $0.type == "stbl" }
    guard let descriptions = table?.children().first(where: { $0.type == "stsd" }),
      ISORawSampleEntry.Kind(handler: handler) == .video
    else { return }
    for entry in descriptions.children(after: 8).prefix(256) where !entry.isPadding {
      // The fields of a VisualSampleEntry (ISO 14496-12, 12.1.3).
      for child in entry.children(after: 78).prefix(256)
      where child.type != "btrt" && !child.isPadding && child.type.rawValue != 0 {
        add(child.type, "stsd", track, Int64(child.payload.count) + 8)
      }
    }
  }

  private mutating func add(_ type: FourCC, _ place: String, _ track: Int?, _ byteCount: Int64) {
    guard parts.count < ISOSourceBoxes.mostBoxes else { return }
    parts.append(Part(type: type, place: place, track: track, byteCount: byteCount))
  }

  // MARK: The list of structure, which describes how a file is stored and is made anew

  /// At the top level: brands, media, padding, fragments and their indexes (ISO 14496-12, 4.3, 8.1,
  /// 8.8 and 8.16).
  private static let ofFile: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "moof", "sidx", "ssix", "mfra",
    "pdin", "pnot",
  ]

  /// In `moov`: headers, edits, handlers, references, data references, sample tables and groups
  /// (8.2 to 8.9), and the list of chapters, which is rebuilt.
  private static let structure: Set<FourCC> = [
    "mvhd", "mvex", "iods", "rmra", "chpl", "free", "skip", "tkhd", "edts", "tref", "mdhd", "hdlr",
    "vmhd", "smhd", "nmhd", "gmhd", "sthd", "hmhd", "dinf", "stsd", "stts", "ctts", "cslg", "stss",
    "stps", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd",
  ]

  private static let containers: Set<FourCC> = ["mdia", "minf", "stbl", "udta"]
}
