/// What a file holds besides media and structure: its boxes by type and place, without their content.
///
/// Structure describes how a file is stored; every writer makes its own.
package struct ISOPartWalk: Sendable {
  /// Boxes of one type in one place that are not structure.
  package struct Part: Hashable, Sendable {
    package var type: FourCC
    /// Such as `moov` or `moov/udta`; for boxes of a track, the place within it.
    package var place: String
    /// Its index among the tracks; `nil` for boxes of the file.
    package var track: Int?
  }

  /// How many there are of each, and their size.
  package private(set) var parts: [(part: Part, count: Int, byteCount: Int64)] = []
  /// Bytes after the last box that are not a box, unless all of them are zero, which is padding.
  package private(set) var trailing: Range<Int64>?

  private var places: [Part: Int] = [:]
  private var tracks: [UInt32: Int] = [:]

  /// - Parameter movie: what was already read of the file; `nil` to read its boxes here.
  /// - Throws: ``ISOError`` when there is no `moov`, a limit is exceeded or the file cannot be read.
  package init(
    reading file: some RandomAccessBytes, of movie: ISOMovie? = nil,
    limits: ISOLimits = ISOLimits()
  ) throws(ISOError) {
    let source = FileSource(file: file, limits: limits)
    var log = ProblemLog(limit: limits.problems)
    let boxes = if let movie { movie.topLevel } else { try source.topLevelBoxes(&log) }
    for problem in movie?.problems ?? log.problems where problem.kind == .trailingBytes {
      guard let offset = problem.byteOffset else { continue }
      let rest = offset..<max(offset, file.byteCount)
      trailing = try Self.isPadding(rest, source) ? nil : rest
    }
    for box in boxes where !Self.ofFile.contains(box.type) {
      add(box.type, "file", nil, min(box.size, file.byteCount - box.offset))
    }
    guard let header = boxes.first(where: { $0.type == "moov" }) else { return }
    var track = 0
    for box in try source.movieHeader(at: header).box.children().prefix(ISOSourceBoxes.mostBoxes) {
      if box.type == "trak" {
        let id = box.children().first { $0.type == "tkhd" }.map(Self.trackID)
        if let id { tracks[id] = track }
        walk(box, "", track)
        track += 1
      } else if box.type == "udta" {
        walk(box, "moov/udta", nil)
      } else if !Self.structure.contains(box.type) {
        add(box.type, "moov", nil, box.byteCount)
      }
    }
    for box in boxes where box.type == "moof" {
      walk(Box(type: box.type, offset: box.offset, payload: try source.payload(of: box)))
    }
  }

  private static let mostPadding: Int64 = 16 << 20

  private static func isPadding(
    _ range: Range<Int64>, _ source: FileSource<some RandomAccessBytes>
  ) throws(ISOError) -> Bool {
    guard range.upperBound - range.lowerBound <= mostPadding else { return false }
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = try source.read(
        at: place, count: Int(min(1 << 16, range.upperBound - place)))
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
      place += Int64(bytes.count)
    }
    return true
  }

  private static func trackID(_ header: Box) -> UInt32 {
    header.payload.u32(header.payload.u8(0) == 1 ? 20 : 12)
  }

  /// The deepest that a standard nests the boxes that are entered.
  private static let deepest = 8

  private mutating func walk(_ box: Box, _ place: String, _ track: Int?, depth: Int = 0) {
    var handler: FourCC = "    "
    for child in box.children().prefix(ISOSourceBoxes.mostBoxes) {
      if child.type == "hdlr" { handler = child.payload.fourCC(8) }
      if let track, Self.containers.contains(child.type), depth < Self.deepest {
        let inner = place.isEmpty ? "\(child.type)" : "\(place)/\(child.type)"
        walk(child, inner, track, depth: depth + 1)
      } else if !Self.structure.contains(child.type), child.type.rawValue != 0 {
        add(child.type, place, track, child.byteCount)
      }
    }
    guard let track, box.type == "mdia" else { return }
    let table = box.children().first { $0.type == "minf" }?
      .children().first { $0.type == "stbl" }
    guard let descriptions = table?.children().first(where: { $0.type == "stsd" }),
      ISORawSampleEntry.Kind(handler: handler) == .video
    else { return }
    for entry in descriptions.children(after: 8).prefix(256) where !entry.isPadding {
      walk(entry: entry, track)
    }
  }

  private mutating func walk(entry: Box, _ track: Int) {
    // The fields of a VisualSampleEntry (ISO 14496-12, 12.1.3).
    for child in entry.children(after: 78).prefix(256)
    where child.type != "btrt" && !child.isPadding && child.type.rawValue != 0 {
      add(child.type, "stsd", track, child.byteCount)
    }
  }

  /// A movie fragment (8.8.4).
  private mutating func walk(_ fragment: Box) {
    for child in fragment.children().prefix(ISOSourceBoxes.mostBoxes) {
      guard child.type == "traf" else {
        if !Self.ofFragment.contains(child.type) { add(child.type, "moof", nil, child.byteCount) }
        continue
      }
      let header = child.children().first { $0.type == "tfhd" }
      let track = header.flatMap { tracks[$0.payload.u32(4)] }
      for box in child.children().prefix(ISOSourceBoxes.mostBoxes)
      where !Self.ofFragment.contains(box.type) {
        add(box.type, "moof/traf", track, box.byteCount)
      }
    }
  }

  private mutating func add(_ type: FourCC, _ place: String, _ track: Int?, _ byteCount: Int64) {
    let part = Part(type: type, place: place, track: track)
    if let index = places[part] {
      parts[index].count += 1
      parts[index].byteCount += byteCount
    } else if parts.count < ISOSourceBoxes.mostBoxes {
      places[part] = parts.count
      parts.append((part, 1, byteCount))
    }
  }

  // MARK: The list of structure

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

  /// In `moof` and `traf`: headers, times, runs of samples and their groups (8.8 and 8.9).
  private static let ofFragment: Set<FourCC> = [
    "mfhd", "tfhd", "tfdt", "trun", "sbgp", "sgpd", "sdtp", "free", "skip",
  ]

  private static let containers: Set<FourCC> = ["mdia", "minf", "stbl", "udta"]
}

extension Box {
  fileprivate var byteCount: Int64 { Int64(payload.count) + 8 }
}

extension ISOPartWalk {
  /// What a file written from these boxes holds.
  package init(carrying boxes: ISOSourceBoxes) {
    for box in boxes.movie.fileBoxes { keep(box, "file", nil) }
    for box in boxes.movie.boxes { keep(box, "moov", nil) }
    for box in boxes.movie.userData { keep(box, "moov/udta", nil) }
    for (number, track) in boxes.tracks.enumerated() {
      for box in track.boxes {
        if Self.containers.contains(box.type) {
          walk(Box(type: box.type, offset: 0, payload: box.view), "\(box.type)", number)
        } else {
          keep(box, "", number)
        }
      }
      for box in track.mediaBoxes { keep(box, "mdia", number) }
      for box in track.informationBoxes { keep(box, "mdia/minf", number) }
      for entry in track.sampleEntries where entry.kind == .video { walk(entry, number) }
    }
  }

  private mutating func keep(_ box: ISORawBox, _ place: String, _ track: Int?) {
    guard !Self.structure.contains(box.type), box.type.rawValue != 0 else { return }
    add(box.type, place, track, Int64(box.bytes.count))
  }

  private mutating func walk(_ entry: ISORawSampleEntry, _ track: Int) {
    let view = ByteView(entry.bytes, fileOffset: 0).slice(from: 8)
    walk(entry: Box(type: entry.format, offset: 0, payload: view), track)
  }
}
