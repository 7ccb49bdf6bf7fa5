#if FFmpeg
  import ISOMedia
  import MediaFacts
  import MediaFiles
  import Trimming

  /// Finds what the source's header holds and the written file does not: both are walked, so nothing is
  /// left out in silence.
  struct LeftOutParts {
    let source: any CutSource
    let tracks: [OutputTrack]
    let labels: FileLabels
    let container: OutputContainer
    /// What is known to be removed, and why.
    let removed: [LeftOut]

    private static let noPlace = "the output has no place for it"

    /// - Parameter descriptor: that of the written file.
    func found(inFile descriptor: Int32) throws(CutError) -> [LeftOut] {
      let file: InputFile
      do {
        file = try InputFile(descriptor: descriptor, isOwned: false, isSeekable: true)
      } catch {
        throw CutError(error)
      }
      if let source = source as? ISOCutSource { return boxes(of: source, in: file) }
      return chunks(in: file)
    }

    // MARK: Boxes

    private func boxes(of source: ISOCutSource, in file: InputFile) -> [LeftOut] {
      guard let walk = try? ISOPartWalk(reading: source.bytes) else { return removed }
      var written: [String: Int] = [:]
      if container.isISO, let output = try? ISOPartWalk(reading: FileBytes(file)) {
        for part in output.parts {
          var part = part
          if let track = part.track {
            guard track < tracks.count else { continue }
            part.track = tracks[track].source
          }
          written[Self.key(part), default: 0] += 1
        }
      }
      let kept = Set(tracks.map(\.source))
      var found = LeftOutList(removed)
      for part in walk.parts {
        // The plan says which tracks are not written.
        if let track = part.track, !kept.contains(track) { continue }
        if let count = written[Self.key(part)], count > 0 {
          written[Self.key(part)] = count - 1
          continue
        }
        if !container.isISO, isTag(part) { continue }
        let place = part.track.map { "track \(source.facts.tracks[$0].id), \(part.place)" }
        found.add(
          LeftOut(
            type: "\(part.type)", place: place ?? part.place, byteCount: part.byteCount,
            reason: reason(part)))
      }
      if let trailing = walk.trailing { found.add(Self.trailing(trailing, source.bytes)) }
      return found.parts
    }

    private static func key(_ part: ISOPartWalk.Part) -> String {
      "\(part.type) \(part.place) \(part.track.map { "\($0)" } ?? "")"
    }

    private func reason(_ part: ISOPartWalk.Part) -> String {
      guard container.isISO else { return Self.noPlace }
      switch part.type {
      case "lhvC", "vexu", "stri": return "no picture has a second layer"
      case "meta" where part.place == "file": return "it lists positions in the source file"
      default: return "it is not carried over"
      }
    }

    /// Boxes that are read as tags, covers and names, which other containers have in their own form;
    /// and those of a sample entry, which describe the coded pictures.
    private func isTag(_ part: ISOPartWalk.Part) -> Bool {
      if part.place == "stsd" { return true }
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

    private func chunks(in file: InputFile) -> [LeftOut] {
      let chunks = SourceChunks(source.file)
      guard chunks.kind != nil else { return removed }
      var written: [String: Int] = [:]
      for chunk in SourceChunks(file).chunks { written[chunk.type, default: 0] += 1 }
      var found = LeftOutList(removed)
      for chunk in chunks.chunks where !SourceChunks.structure.contains(chunk.type) {
        if let count = written[chunk.type], count > 0 {
          written[chunk.type] = count - 1
          continue
        }
        // Points in the range are chapters elsewhere.
        let isMarker = chunk.type == "cue " || chunk.type == "LIST adtl"
        if isMarker, chunks.kind == .wave {
          if container == .wav, !hasMarkers(chunks) { continue }
          if container != .wav, holdsChapters { continue }
        }
        found.add(
          LeftOut(
            type: chunk.type, place: "file",
            byteCount: chunk.content.upperBound - chunk.content.lowerBound,
            reason: container == .wav && isMarker ? "none of it is in the range" : Self.noPlace))
      }
      if let trailing = chunks.trailing {
        found.add(
          LeftOut(
            type: "data", place: "file, after the last chunk",
            byteCount: trailing.upperBound - trailing.lowerBound, reason: "it is not a chunk"))
      }
      return found.parts
    }

    private var holdsChapters: Bool {
      switch container {
      case .matroska, .webm, .mp3, .aiff, .flac, .ogg, .opus: true
      default: container.isISO
      }
    }

    private func hasMarkers(_ chunks: SourceChunks) -> Bool {
      chunks.chunks.contains { $0.type == "cue " && $0.content.count > 4 }
    }
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
      parts[index].count += 1
      parts[index].byteCount = (parts[index].byteCount ?? 0) + (part.byteCount ?? 0)
    }
  }
#endif
