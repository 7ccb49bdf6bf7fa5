public import ExactTime

extension EditList {
  /// The list whose kept parts lack the ranges of a source.
  ///
  /// Each piece of a part keeps its name and tracks. Parts that are not kept, and markers, stay as they are.
  public func removing(_ removed: RangeSet, fromSource source: Int = 0) -> EditList {
    replacingKept(ofSource: source) { removed.complement(within: $0).ranges }
  }

  /// The list of what is kept: removals are taken out of the kept parts of their source, or out of
  /// `whole` where the list only says what is removed of it.
  ///
  /// `whole` has the range of each source by its index. A source without one, of which the list keeps
  /// nothing, adds nothing.
  public func kept(within whole: [Int: MediaTimeRange]) -> EditList {
    var list = self
    list.parts = parts.filter(\.isKept)
    let keepers = Set(list.parts.map(\.source))
    var removals: [Int: [MediaTimeRange]] = [:]
    for part in parts where !part.isKept { removals[part.source, default: []].append(part.range) }
    for source in removals.keys.sorted() {
      if !keepers.contains(source), let range = whole[source] {
        list.parts.append(Part(range, source: source))
      }
      list = list.removing(RangeSet(removals[source, default: []]), fromSource: source)
    }
    return list
  }

  /// The list without what lies outside a source's range, markers included; parts of which nothing
  /// is left are gone.
  public func clipped(to range: MediaTimeRange, ofSource source: Int = 0) -> EditList {
    var list = self
    list.parts = parts.compactMap { part in
      guard part.source == source else { return part }
      guard let inside = part.range.intersection(range), !inside.isEmpty else { return nil }
      var clipped = part
      clipped.range = inside
      return clipped
    }
    list.markers = markers.filter { $0.source != source || range.contains($0.time) }
    return list
  }

  /// The list whose parts of a source end, and start again, at an instant that is inside of them.
  public func split(at time: MediaTime, ofSource source: Int = 0) -> EditList {
    var list = self
    list.parts = parts.flatMap { part -> [Part] in
      guard part.source == source, part.range.start < time,
        let before = MediaTimeRange(from: part.range.start, to: time),
        let after = MediaTimeRange(from: time, to: part.range.end), !after.isEmpty
      else { return [part] }
      return part.withRanges([before, after])
    }
    return list
  }

  /// The list with all times of a source moved, back if the length is negative.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where a time needs more than 64 bits.
  public func shifted(
    by length: MediaDuration, ofSource source: Int = 0
  ) throws(ExactTimeError) -> EditList {
    var list = self
    for index in parts.indices where parts[index].source == source {
      let range = parts[index].range
      list.parts[index].range = try MediaTimeRange(
        from: range.start.advanced(by: length), length: range.checkedLength())
    }
    for index in markers.indices where markers[index].source == source {
      list.markers[index].time = try markers[index].time.advanced(by: length)
    }
    return list
  }

  /// The length of all kept parts together; what two parts share counts twice.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where it needs more than 64 bits.
  public func keptLength() throws(ExactTimeError) -> MediaDuration {
    var length = MediaDuration.zero
    for part in parts where part.isKept { length = try length.adding(part.range.checkedLength()) }
    return length
  }

  /// How much longer than a limit the kept parts are together; `nil` where they are not longer.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where the lengths need more than 64 bits.
  public func excess(over limit: MediaDuration) throws(ExactTimeError) -> MediaDuration? {
    let excess = try keptLength().subtracting(limit)
    return excess.isPositive ? excess : nil
  }

  private func replacingKept(
    ofSource source: Int, with pieces: (MediaTimeRange) -> [MediaTimeRange]
  ) -> EditList {
    var list = self
    list.parts = parts.flatMap { part in
      part.isKept && part.source == source ? part.withRanges(pieces(part.range)) : [part]
    }
    return list
  }
}

extension EditList.Part {
  fileprivate func withRanges(_ ranges: [MediaTimeRange]) -> [EditList.Part] {
    ranges.map { range in
      var part = self
      part.range = range
      return part
    }
  }
}
