import ISOMedia
import MediaFacts
import MediaFiles
import Trimming

/// Finds what the source's header holds and the output does not: both are walked, so nothing is
/// left out in silence.
struct LeftOutParts {
  let source: any CutSource
  /// What the source holds.
  let parts: SourceParts
  /// The source's tracks that are in the output, in the output's order.
  let tracks: [Int]
  let container: OutputContainer
  /// What is known to be removed, and why.
  let removed: [LeftOut]

  static let noPlace = "the output has no place for it"
  private static let outside = "none of it is in the range"

  private var rules: ContainerRules { container.rules }

  /// - Parameter written: what the output holds.
  func found(_ written: SourceParts) -> [LeftOut] {
    var found = LeftOutList(removed)
    switch parts {
    case .boxes(let walk): addBoxes(walk, written, &found)
    case .chunks(let chunks): addChunks(chunks, written, &found)
    case .elements(let walk): addElements(walk, written, &found)
    case .none: addTags(&found)
    }
    return found.parts
  }

  private func place(_ place: String, ofTrack track: Int?) -> String {
    guard let track, source.facts.tracks.indices.contains(track) else { return place }
    let name = "track \(source.facts.tracks[track].id)"
    return place.isEmpty ? name : name + ", " + place
  }

  /// Tags of formats whose parts are not walked, where the output has none.
  private func addTags(_ found: inout LeftOutList) {
    guard !rules.holdsTags else { return }
    for tag in source.facts.lastingTags where !isName(tag.key) {
      found.add(LeftOut(type: tag.key, place: "tags", reason: Self.noPlace))
    }
  }

  /// The title of a transport stream is its service name.
  private func isName(_ key: String) -> Bool {
    let names = ["title", "service_name", "service_provider"]
    return [.mpegts, .m2ts].contains(container) && names.contains(key.lowercased())
  }

  // MARK: Boxes

  private func addBoxes(
    _ walk: ISOPartWalk, _ written: SourceParts, _ found: inout LeftOutList
  ) {
    var counts = WrittenCounts()
    if container.isISO, case .boxes(let output) = written {
      for (part, count, _) in output.parts {
        guard let track = part.track else {
          counts.add(part.type.description, part.place, nil, count)
          continue
        }
        guard tracks.indices.contains(track) else { continue }
        counts.add(part.type.description, part.place, tracks[track], count)
      }
    }
    for (part, count, byteCount) in walk.parts {
      // The plan says which tracks are not written.
      if let track = part.track, !tracks.contains(track) { continue }
      let type = part.type.description
      let missing = count - counts.take(type, part.place, part.track, count)
      guard missing > 0 else { continue }
      if !container.isISO, rules.holdsTags, isTag(part) { continue }
      if !container.isISO, part.place == "stsd" { continue }
      found.add(
        LeftOut(
          type: type, place: place(part.place, ofTrack: part.track),
          byteCount: missing == count ? byteCount : nil, count: missing, reason: reason(part)))
    }
    if let trailing = walk.trailing, let native = source.native {
      found.add(Self.trailing(trailing, native.bytes))
    }
  }

  private func reason(_ part: ISOPartWalk.Part) -> String {
    guard container.isISO else { return Self.noPlace }
    switch part.type {
    case "lhvC", "vexu", "stri": return "no picture has a second layer"
    case "meta" where part.place == "file": return "it lists positions in the source file"
    default: return "it is not carried over"
    }
  }

  /// Boxes that are read as tags, covers and names, which other containers have in their own form.
  private func isTag(_ part: ISOPartWalk.Part) -> Bool {
    if part.type == "elng" || part.type == "meta" && part.place != "file" { return true }
    return part.place.hasSuffix("udta")
      && ("\(part.type)".hasPrefix("©") || Self.texts.contains(part.type))
  }

  /// QuickTime's name, and the texts of 3GPP TS 26.244, 8.
  private static let texts: Set<FourCC> = [
    "name", "titl", "auth", "perf", "gnre", "dscp", "cprt", "albm", "yrrc",
  ]

  private static func trailing(_ range: Range<Int64>, _ bytes: FileBytes) -> LeftOut {
    let count = min(64, range.upperBound - range.lowerBound)
    let tail = (try? bytes.read(at: range.upperBound - count, count: Int(count))) ?? []
    let names = [
      ("8db42d694ccc418790edff439fe026bf", "Insta360 data"), ("SEFT", "Samsung data"),
    ]
    let name = names.first { tail.suffix($0.0.utf8.count).elementsEqual($0.0.utf8) }?.1
    return LeftOut(
      type: name ?? "data", place: "file, after the last box",
      byteCount: range.upperBound - range.lowerBound, reason: "it is not a box")
  }

  // MARK: Chunks

  private func addChunks(
    _ chunks: SourceChunks, _ written: SourceParts, _ found: inout LeftOutList
  ) {
    var counts = WrittenCounts()
    var isSame = false
    if case .chunks(let output) = written {
      isSame = output.kind == chunks.kind
      for chunk in output.chunks where isSame {
        let track = chunk.stream.map { tracks.indices.contains($0) ? tracks[$0] : -1 }
        counts.add(chunk.type, chunk.place, track, 1)
      }
    }
    for chunk in chunks.chunks where !SourceChunks.structure.contains(chunk.type) {
      if let track = chunk.stream, !tracks.contains(track) { continue }
      if counts.take(chunk.type, chunk.place, chunk.stream, 1) > 0 { continue }
      // Writers state their own name.
      if chunk.place == "LIST INFO", chunk.type == "ISFT" { continue }
      let isTag =
        chunk.place == "LIST INFO" && !isSame || SourceChunks.tags.contains(chunk.type)
      if isTag, rules.holdsTags, chunk.type != "PICTURE" || rules.labels.covers != nil { continue }
      // It describes the pictures.
      if chunk.type == "vprp", !isSame { continue }
      let isMarker = ["cue ", "LIST adtl", "MARK"].contains(chunk.type)
      if isMarker, isSame, !chunks.hasMarkers { continue }
      // Points in the range are chapters elsewhere.
      if chunk.type != "MARK", isMarker, !isSame, rules.holdsChapters { continue }
      found.add(
        LeftOut(
          type: chunk.type, place: place(chunk.place, ofTrack: chunk.stream),
          byteCount: chunk.content.upperBound - chunk.content.lowerBound,
          reason: isSame && isMarker ? Self.outside : Self.noPlace))
    }
    if let trailing = chunks.trailing {
      found.add(
        LeftOut(
          type: "data", place: "file, after the last chunk",
          byteCount: trailing.upperBound - trailing.lowerBound, reason: "it is not a chunk"))
    }
    // Ogg's comments are read as tags.
    if chunks.kind == .ogg { addTags(&found) }
  }

  // MARK: Elements

  private func addElements(
    _ walk: MatroskaParts, _ written: SourceParts, _ found: inout LeftOutList
  ) {
    var counts = WrittenCounts()
    if rules.isMatroska, case .elements(let output) = written {
      for (part, count, _) in output.parts {
        guard let track = part.track else {
          counts.add(part.type, part.place, nil, count)
          continue
        }
        guard tracks.indices.contains(track) else { continue }
        counts.add(part.type, part.place, tracks[track], count)
      }
    }
    for (part, count, byteCount) in walk.parts {
      if let track = part.track, !tracks.contains(track) { continue }
      var missing = count - counts.take(part.type, part.place, part.track, count)
      let name = part.type.hasPrefix("SimpleTag ") ? String(part.type.dropFirst(10)) : nil
      if let name, MediaFacts.isRemade(name) || Self.isStatistic(name) { continue }
      // FFmpeg writes it as the title of the file or of a track, and chapters as one list.
      if name == "TITLE", counts.has("Title") || counts.has("Name") { continue }
      if part.type == "EditionEntry", counts.has(part.type) { continue }
      guard missing > 0 else { continue }
      if !rules.isMatroska {
        // What describes pictures and sound is in the form of the other container.
        if part.track != nil, part.type != "BlockAdditionMapping" { continue }
        let isTag = name != nil || ["Title", "DateUTC"].contains(part.type)
        if isTag, rules.holdsTags || name.map(isName) ?? isName(part.type) { continue }
        if part.type == "EditionEntry", rules.holdsChapters { continue }
        // Covers.
        if part.type == "AttachedFile", rules.labels.covers != nil {
          missing -= source.facts.tracks.count(where: \.isCoverArt)
          guard missing > 0 else { continue }
        }
      }
      let isOutside = part.type == "EditionEntry" && rules.holdsChapters
      found.add(
        LeftOut(
          type: part.type, place: place(part.place, ofTrack: part.track),
          byteCount: missing == count ? byteCount : nil, count: missing,
          reason: isOutside ? Self.outside : Self.noPlace))
    }
  }

  /// Tags of mkvmerge that count what is in a track.
  private static func isStatistic(_ name: String) -> Bool {
    ["BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES"].contains(name)
      || name.hasPrefix("_STATISTICS_")
  }
}

extension SourceChunks {
  /// Whether there is at least one marker.
  fileprivate var hasMarkers: Bool {
    chunks.contains {
      let least: Int64 = $0.type == "cue " ? 4 : 2
      return ["cue ", "MARK"].contains($0.type)
        && $0.content.upperBound - $0.content.lowerBound > least
    }
  }
}

/// How many parts of a type and place the output holds and that are not matched yet.
private struct WrittenCounts {
  private var counts: [String: Int] = [:]
  private var types: Set<String> = []

  private static func key(_ type: String, _ place: String, _ track: Int?) -> String {
    "\(type) \(place) \(track.map { "\($0)" } ?? "")"
  }

  mutating func add(_ type: String, _ place: String, _ track: Int?, _ count: Int) {
    counts[Self.key(type, place, track), default: 0] += count
    types.insert(type)
  }

  /// - Returns: how many there were, at most the wanted number.
  mutating func take(_ type: String, _ place: String, _ track: Int?, _ wanted: Int) -> Int {
    let key = Self.key(type, place, track)
    let taken = min(wanted, counts[key] ?? 0)
    counts[key, default: 0] -= taken
    return taken
  }

  func has(_ type: String) -> Bool { types.contains(type) }
}

/// Entries of the same type and place count as one.
private struct LeftOutList {
  private(set) var parts: [LeftOut]
  private var places: [String: Int] = [:]

  init(_ removed: [LeftOut]) {
    parts = removed
    for (index, part) in removed.enumerated() { places[part.place + " " + part.type] = index }
    known = removed.count
  }

  private let known: Int

  mutating func add(_ part: LeftOut) {
    let key = part.place + " " + part.type
    guard let index = places[key] else {
      places[key] = parts.count
      parts.append(part)
      return
    }
    // Already reported with its own reason.
    guard index >= known else { return }
    parts[index].count += part.count
    if let sum = parts[index].byteCount, let more = part.byteCount {
      parts[index].byteCount = sum + more
    }
  }
}
