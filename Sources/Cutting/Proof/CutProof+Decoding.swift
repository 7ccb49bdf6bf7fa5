import Libav
import MediaFacts
import MediaFiles
import Trimming

extension CutProof {
  /// Decodes stretches of a written track and judges the errors that a decoder reports.
  ///
  /// An error in what was encoded here is ours, unless the source does not decode there. One in
  /// what was copied is the source's if the source has it too.
  func checkDecoding(
    _ written: any CutSource, _ index: Int, _ stretches: [DecodedStretch],
    _ findings: inout Findings
  ) throws(MediaError) {
    let decoder = StretchDecoder(
      source: written, track: index, checksChecksums: isFull, limits: limits,
      isCancelled: isCancelled, encoded: { tracks[index].packets[$0].means })
    for stretch in stretches {
      let result: StretchDecoder.Result
      do throws(MediaError) {
        result = try decoder.decode(stretch)
      } catch {
        // What cannot be decoded here was not decoded while cutting either.
        guard error.code == .codecMissing else { throw error }
        return
      }
      findings.decoded(stretch.judged, index)
      if tracks[index].video != nil {
        for _ in stretch.judged { meter?.didDecodeFrame(ofTrack: tracks[index].source) }
      }
      try checkHidden(result, index)
      try judge(result, stretch, index, written, &findings)
    }
    if findings.isAllDamaged(index) {
      throw MediaError.damaged(
        source.tracks[tracks[index].source], places: tracks[index].packets.map(\.place),
        "nothing in the track can be decoded in the range")
    }
  }

  /// If a packet decodes to several frames, FFmpeg discards the part that an edit hides from each
  /// of those frames.
  private func checkHidden(_ result: StretchDecoder.Result, _ index: Int) throws(MediaError) {
    guard container.isISO, let cut = tracks[index].audio else { return }
    let starts = tracks[index].sounds.filter { $0.hiddenStart > 0 }.map(\.first)
    let hidden = starts.isEmpty && cut.hiddenStart > 0 ? [0] : starts
    guard let place = hidden.first(where: { result.frames[$0, default: 1] > 1 }) else { return }
    throw failure(
      "packet \(place) of track \(index + 1) is partly hidden and holds several frames", index,
      place)
  }

  /// Decodes blocks from the source, where a container without packet boundaries returns them
  /// grouped differently than they were written.
  func checkBlocks(
    _ index: Int, _ budget: DecodingBudget, _ findings: inout Findings
  ) throws(MediaError) {
    let packets = tracks[index].packets
    let isCopied =
      tracks[index].made == nil
      && !AudioCodec.isUncompressed(tracks[index].codec(in: source))
    guard isCopied, let first = packets.first?.place, let last = packets.last?.place,
      first <= last
    else {
      findings.decoded(packets.indices, index)
      return
    }
    guard budget.coversAll else { return }
    let result: StretchDecoder.Result
    do throws(MediaError) {
      result = try sourceDecoder(index).decode(
        DecodedStretch(entry: first, judged: first..<last + 1))
    } catch {
      guard error.code == .codecMissing else { throw error }
      return
    }
    findings.decoded(packets.indices, index)
    for (place, packet) in packets.enumerated() where !packet.isMade {
      if let text = result.faults[packet.place] { findings.add(.decoding, text, place, index) }
    }
  }

  private func judge(
    _ result: StretchDecoder.Result, _ stretch: DecodedStretch, _ index: Int,
    _ written: any CutSource, _ findings: inout Findings
  ) throws(MediaError) {
    let packets = tracks[index].packets
    let isMade = stretch.judged.contains { packets[$0].isMade }
    let suspects = result.missing.union(result.faults.keys)
    let ours = suspects.filter { packets[$0].isMade }.sorted()
    if !ours.isEmpty || isMade && result.excess > 0 {
      try blame(ours.isEmpty ? Array(stretch.judged) : ours, result, stretch, index)
    }
    let copied = Set(suspects.filter { !packets[$0].isMade }).sorted()
    for cluster in clusters(of: copied, packets, tracks[index].source) {
      switch try witness(cluster, stretch, index) {
      case .source(let isMissing):
        let lost = cluster.filter { isMissing && result.missing.contains($0) }
        if !lost.isEmpty, showsMissingPictures(index) { try lose(lost, index, &findings) }
        for place in cluster {
          if let text = result.faults[place] { findings.add(.decoding, text, place, index) }
        }
      case .leadMissing: break
      case .neither:
        var same: ClosedRange<Int>?
        for place in cluster.reversed() {
          if same?.contains(place) != true { same = try copiedGroup(upTo: place, index, written) }
          guard same != nil, !result.missing.contains(place)
          else { throw failure(words(cluster, result, index), index, cluster.first) }
        }
        for place in cluster {
          if let text = result.faults[place] { findings.add(.decoding, text, place, index) }
        }
      }
    }
  }

  /// Handles pictures that cannot be decoded from the source either: they were promised, unless
  /// whole GOPs were requested.
  private func lose(
    _ places: [Int], _ index: Int, _ findings: inout Findings
  ) throws(MediaError) {
    guard promisesPictures else {
      for place in places {
        findings.add(.missing, "it decodes to no frame", place, index)
      }
      return
    }
    throw MediaError.damaged(
      source.tracks[tracks[index].source], places: places.map { tracks[index].packets[$0].place },
      "\(places.count) \(places.count == 1 ? "frame" : "frames") in the range cannot be decoded")
  }

  /// True only where every packet is a picture that is shown.
  private func showsMissingPictures(_ index: Int) -> Bool {
    source.tracks[tracks[index].source].facts.codec.usesNALUnits
  }

  private func words(_ places: [Int], _ result: StretchDecoder.Result, _ index: Int) -> String {
    let said = places.lazy.compactMap { result.faults[$0] }.first.map { " (\($0))" } ?? ""
    let first = places.first ?? 0
    return "packet \(first) of track \(index + 1) does not decode correctly\(said); "
      + "\(places.count) in total"
  }

  /// - Throws: ``MediaError`` of code `damaged` where the source does not decode there, else of code
  ///   `verificationFailed`.
  private func blame(
    _ places: [Int], _ result: StretchDecoder.Result, _ stretch: DecodedStretch, _ index: Int
  ) throws(MediaError) {
    let packets = tracks[index].packets
    for cluster in clusters(of: places, packets, tracks[index].source) {
      let holder = source.holder(ofTrack: tracks[index].source, packets[cluster[0]].place)
      // Fitted pictures decoded without errors while they were made.
      guard !holder.source.isRefitted(tracks[index].source) else { continue }
      let shown = try sourceResult(cluster, index)
      guard shown.faults.isEmpty, shown.missing.isEmpty else {
        throw MediaError.damaged(
          source.tracks[tracks[index].source], places: cluster.map { packets[$0].place },
          "frames at the edge of the range cannot be decoded without errors")
      }
    }
    throw failure(words(places, result, index), index, places.first)
  }

  /// Places that are near each other in the source as well.
  private func clusters(
    of places: [Int], _ packets: ContiguousArray<OutputPacket>, _ track: Int
  ) -> [[Int]] {
    var clusters: [[Int]] = []
    for place in places {
      if let last = clusters.last?.last,
        (0...16).contains(packets[place].place - packets[last].place), place - last <= 16,
        source.holder(ofTrack: track, packets[place].place).places
          .contains(packets[last].place)
      {
        clusters[clusters.count - 1].append(place)
      } else {
        clusters.append([place])
      }
    }
    return clusters
  }

  /// Who else shows an error.
  private enum Witness {
    /// The source, decoded from an earlier entry point.
    case source(isMissing: Bool)
    /// The source too, if decoded from where the cut begins: what it depends on is before that.
    case leadMissing
    case neither
  }

  private func witness(
    _ cluster: [Int], _ stretch: DecodedStretch, _ index: Int
  ) throws(MediaError) -> Witness {
    let packets = tracks[index].packets
    let shown = try sourceResult(cluster, index)
    let isMissing = !shown.missing.isEmpty
    if !shown.faults.isEmpty || isMissing {
      return .source(isMissing: isMissing)
    }
    let places = cluster.map { packets[$0].place }
    guard let last = places.max() else { return .neither }
    let own = source.holder(ofTrack: tracks[index].source, last).places
    let entry = max(own.lowerBound, packets[stretch.entry].place)
    guard entry <= last else { return .neither }
    let bare = try sourceDecoder(index).decode(
      DecodedStretch(entry: entry, judged: entry..<last + 1))
    let isShown = places.contains { bare.faults[$0] != nil || bare.missing.contains($0) }
    return isShown ? .leadMissing : .neither
  }

  func sourceDecoder(_ index: Int) -> StretchDecoder {
    StretchDecoder(
      source: source, track: tracks[index].source, checksChecksums: isFull, limits: limits,
      isCancelled: isCancelled)
  }

  /// Where to start decoding the source so that all pictures after `place` are output: leading
  /// pictures of an open GOP depend on the previous GOP.
  func cleanEntry(atOrBefore place: Int, _ index: Int) -> Int {
    let coded = source.tracks[tracks[index].source].coded.packets
    var entry = place
    while entry > 0, !coded[entry].isKey { entry -= 1 }
    let access = source.access(ofTrack: tracks[index].source, entry)
    if entry > 0, ![.idr, .bla, .intra].contains(access) {
      entry -= 1
      while entry > 0, !coded[entry].isKey { entry -= 1 }
    }
    return entry
  }

  /// The errors that a decoder reports for these packets in the source, with all their
  /// references.
  private func sourceResult(
    _ cluster: [Int], _ index: Int
  ) throws(MediaError) -> StretchDecoder.Result {
    let places = cluster.map { tracks[index].packets[$0].place }
    guard let first = places.min(), let last = places.max() else { return .init() }
    let own = source.holder(ofTrack: tracks[index].source, first).places
    let from = max(own.lowerBound, first - 2)
    let judged = from..<min(own.upperBound, last + 3)
    var entry = from
    if tracks[index].video == nil {
      entry = max(own.lowerBound, from - 12)
    } else {
      entry = max(own.lowerBound, cleanEntry(atOrBefore: entry, index))
    }
    // Decoders hold pictures back: following packets make them output those.
    let behind = min(own.upperBound, judged.upperBound + EdgeEncoder.longestDelay)
    var result = try sourceDecoder(index).decode(
      DecodedStretch(entry: entry, judged: min(entry, from)..<behind))
    result.faults = result.faults.filter { judged.contains($0.key) }
    result.missing = result.missing.filter { places.contains($0) }
    return result
  }
}
