import ExactTime

extension TrimmingSession {
  /// What was found in the first file takes the place of what was found before; the parts do not change.
  ///
  /// Those outside the file, and all but the first with an identifier, are left out.
  mutating func findingsDidArrive(_ found: [TrimmingFinding], _ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    var known: Set<Int> = []
    let inside = found.compactMap { one in
      Self.clamped(one.range, into: sources[0].bounds).flatMap { range in
        known.insert(one.id).inserted
          ? TrimmingFinding(id: one.id, kind: one.kind, range: range) : nil
      }
    }
    let next = inside.sorted { one, other in
      (one.range.start, one.range.end, one.id) < (other.range.start, other.range.end, other.id)
    }
    guard next != findings else { return }
    findings = next
    effects.deliver(.findingsDidChange(findings))
    effects.log(.findingsChanged, .init("count", .count(findings.count)))
  }

  /// Findings are removed from all parts, as ``FoundRanges`` defines; the rest of a single part is joined.
  mutating func findingsDidRemove(
    _ ids: [Int]?, margin: MediaDuration, _ effects: inout [SessionEffect]
  ) {
    let found = chosen(ids).map(\.range)
    replaceParts(cause: "findings_removed", ids, joinsPieces: true, &effects) { part in
      guard let removed = try? FoundRanges.removals(found, of: part, margin: margin),
        !removed.isEmpty
      else { return nil }
      return removed.reduce([part]) { rest, one in rest.flatMap { $0.subtracting(one) } }
    }
  }

  /// Each finding becomes a part, as far as it is in one; of findings that overlap, the union.
  mutating func findingsDidKeep(_ ids: [Int]?, _ effects: inout [SessionEffect]) {
    let united = FoundRanges.united(chosen(ids).map(\.range), areTouchingOne: false)
    replaceParts(cause: "findings_kept", ids, joinsPieces: false, &effects) { part in
      united.compactMap { finding in
        finding.intersection(part).flatMap { $0.isEmpty ? nil : $0 }
      }
    }
  }

  /// Parts are split where scenes begin, and in the middle of other findings.
  mutating func findingsDidSplit(_ ids: [Int]?, _ effects: inout [SessionEffect]) {
    let (seams, frames) = (chosen(ids).compactMap(seam).sorted(), sources[0].timings.frames)
    replaceParts(cause: "findings_split", ids, joinsPieces: false, &effects) { part in
      let pieces = FoundRanges.pieces(of: part, at: seams, isPiece: frames.areUnknownOrBegin)
      return pieces.count == 1 ? nil : pieces
    }
  }

  private func seam(_ finding: TrimmingFinding) -> MediaTime? {
    guard finding.kind != .scene else { return finding.range.start }
    let frames = sources[0].timings.frames
    return try? FoundRanges.seam(in: finding.range) { time in
      frames.isEmpty ? nil : frames.time(at: frames.firstIndex { $0 >= time })
    }
  }

  /// The playhead goes to where the next finding begins, or for a negative number the previous one.
  mutating func findingDidStep(
    by count: Int, _ kind: TrimmingFinding.Kind?, _ effects: inout [SessionEffect]
  ) {
    guard !isFailed, count != 0 else { return }
    // They are of the first file, wherever the playhead of another one is.
    let starts =
      shownSource != 0 ? [] : findings.filter { kind == nil || $0.kind == kind }.map(\.range.start)
    let found =
      count > 0 ? starts.first { $0 > playbackTime } : starts.last { $0 < playbackTime }
    guard let found else { return say(count > 0 ? .noFindingAfter : .noFindingBefore) }
    playheadDidMove(to: found, &effects)
  }

  private func chosen(_ ids: [Int]?) -> [TrimmingFinding] {
    guard let ids else { return findings }
    let wanted = Set(ids)
    return findings.filter { wanted.contains($0.id) }
  }

  /// Replaces the parts by their pieces, as one undo step; pieces in which no frame begins are left out.
  ///
  /// - Parameter pieces: the pieces of a part; `nil` if it stays as it is.
  private mutating func replaceParts(
    cause: String, _ ids: [Int]?, joinsPieces: Bool, _ effects: inout [SessionEffect],
    pieces: (MediaTimeRange) -> [MediaTimeRange]?
  ) {
    guard !isFailed else { return }
    guard !chosen(ids).isEmpty else { return say(.nothingFound) }
    var next = list
    next.parts = []
    var (nextID, isChanged) = (nextPartID, false)
    let frames = sources[0].timings.frames
    for part in list.parts {
      guard part.source == 0, let made = pieces(part.range) else {
        next.parts.append(part)
        continue
      }
      isChanged = true
      for (number, piece) in made.filter(frames.areUnknownOrBegin).enumerated() {
        next.parts.append(part.piece(piece, id: number == 0 ? part.id : nextID))
        if number > 0 { nextID += 1 }
      }
    }
    guard isChanged else { return say(.nothingFoundInParts) }
    guard !next.parts.isEmpty else { return say(.nothingWouldRemain) }
    guard next.parts.count <= PartList.capacity else { return say(.tooManyParts) }
    next.selectedIndex =
      next.parts.firstIndex { $0.source == shownSource && $0.range.contains(playbackTime) } ?? 0
    next.joins = list.joins || joinsPieces && !list.isSeveral && next.isSeveral
    nextPartID = nextID
    change(to: next, cause: cause, &effects)
  }
}
