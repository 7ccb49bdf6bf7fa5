import ExactTime

extension TrimmingSession {
  /// A new part is selected; without a range it begins at the playhead, or after the selected part
  /// if the playhead is inside one, and ends where the next part or the video does.
  mutating func partDidAdd(_ range: MediaTimeRange?, _ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    guard list.parts.count < PartList.capacity else { return say(.tooManyParts) }
    guard let wanted = range ?? roomForPart else { return say(.noRoomForPart) }
    guard let inside = Self.clamped(wanted, into: bounds) else { return say(.outsideVideo) }
    var next = list
    next.parts.insert(
      TrimmingPart(id: nextPartID, range: inside, source: shownSource),
      at: list.selectedIndex + 1)
    next.selectedIndex += 1
    nextPartID += 1
    change(to: next, cause: "added", &effects)
  }

  private var roomForPart: MediaTimeRange? {
    let place = snapped(playbackTime)
    let ranges = list.parts.filter { $0.source == shownSource }.map(\.range)
    let isTaken = ranges.contains { $0.contains(place) }
    let start = isTaken ? timeRange.end : place
    let next = ranges.map(\.start).filter { $0 > start }.min() ?? bounds.end
    guard start < next else { return nil }
    return MediaTimeRange(from: start, to: next)
  }

  /// Splits the part at the playhead, and selects the second half.
  ///
  /// The seam snaps as handles do, so that no frame is shown in both halves.
  mutating func partDidSplit(_ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    let seam = snapped(playbackTime)
    let candidates = [list.selectedIndex] + list.parts.indices
    guard
      let index = candidates.first(where: { index in
        let part = list.parts[index]
        return part.source == shownSource && part.range.start < seam && seam < part.range.end
      }),
      let before = MediaTimeRange(from: list.parts[index].range.start, to: seam),
      let after = MediaTimeRange(from: seam, to: list.parts[index].range.end)
    else { return say(.playheadOutsidePart) }
    guard holdsFrame(before), holdsFrame(after) else { return say(.partShorterThanFrame) }
    guard list.parts.count < PartList.capacity else { return say(.tooManyParts) }
    var next = list
    next.parts[index].range = before
    next.parts.insert(
      TrimmingPart(id: nextPartID, range: after, source: shownSource), at: index + 1)
    next.selectedIndex = index + 1
    nextPartID += 1
    change(to: next, cause: "split", &effects)
  }

  /// Whether a frame begins in a range of the file that is shown; true where the frames are not known.
  func holdsFrame(_ range: MediaTimeRange) -> Bool { timings.frames.areUnknownOrBegin(in: range) }

  mutating func partDidDelete(_ id: Int?, _ effects: inout [SessionEffect]) {
    guard !isFailed, let index = list.index(ofID: id ?? list.selected.id) else { return }
    guard list.isSeveral else { return say(.onlyPart) }
    var next = list
    next.parts.remove(at: index)
    if next.selectedIndex > index || next.selectedIndex == next.parts.count {
      next.selectedIndex -= 1
    }
    change(to: next, cause: "deleted", &effects)
  }

  /// Moves the selected part in export order; nothing moves in the video.
  mutating func partDidMove(by places: Int, _ effects: inout [SessionEffect]) {
    guard !isFailed, places != 0 else { return }
    let from = list.selectedIndex
    let limited = min(max(places, -list.parts.count), list.parts.count)
    let to = min(max(0, from + limited), list.parts.count - 1)
    guard to != from else { return say(places < 0 ? .firstInOrder : .lastInOrder) }
    var next = list
    let part = next.parts.remove(at: from)
    next.parts.insert(part, at: to)
    next.selectedIndex = to
    change(to: next, cause: "moved", &effects)
  }

  /// Sorts the parts in export order; parts that are in that order already are reversed.
  mutating func partsDidSort(by order: PartOrder, _ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    guard list.isSeveral else { return say(.onlyPart) }
    // The order of equal parts stays.
    func sorted(_ isBefore: (TrimmingPart, TrimmingPart) -> Bool) -> [TrimmingPart] {
      list.parts.enumerated().sorted { one, other in
        if isBefore(one.element, other.element) { return true }
        return !isBefore(other.element, one.element) && one.offset < other.offset
      }.map(\.element)
    }
    var next = list
    next.parts = sorted(order.isAscending)
    if next.parts == list.parts { next.parts = sorted { order.isAscending($1, $0) } }
    next.selectedIndex = next.index(ofID: list.selected.id) ?? 0
    change(to: next, cause: "sorted", &effects)
  }

  mutating func partDidRename(_ id: Int, _ name: String, _ effects: inout [SessionEffect]) {
    guard !isFailed, let index = list.index(ofID: id) else { return }
    var next = list
    next.parts[index].name = String(name.prefix(Self.longestName))
    change(to: next, cause: "renamed", &effects)
  }

  package static let longestName = 100

  /// Selecting a part is not an undo step.
  mutating func partDidSelect(_ id: Int, _ effects: inout [SessionEffect]) {
    guard !isFailed, let index = list.index(ofID: id), index != list.selectedIndex else { return }
    dragDidEnd(&effects)
    var next = list
    next.selectedIndex = index
    replace(with: next, cause: "selected", &effects)
    if !timeRange.contains(playbackTime) { playheadDidMove(to: timeRange.start, &effects) }
  }

  /// Removes what lies between In and Out from the other parts of the file, or from the whole file if the
  /// selected part is the only one of it; the rest is joined.
  mutating func rangeDidRemove(_ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    let (removed, selected) = (timeRange, list.selected)
    let isOnlyOne = list.parts.count { $0.source == selected.source } == 1
    let kept = list.parts.compactMap { part in
      if part.id != selected.id { return part }
      return isOnlyOne ? part.piece(bounds, id: part.id) : nil
    }
    var next = list
    next.parts = []
    for part in kept {
      let isCut = part.source == selected.source
      let pieces = isCut ? part.range.subtracting(removed) : [part.range]
      for (number, piece) in pieces.enumerated() {
        let isFirst = number == 0
        next.parts.append(part.piece(piece, id: isFirst ? part.id : nextPartID))
        if !isFirst { nextPartID += 1 }
      }
    }
    guard !next.parts.isEmpty else { return say(.nothingWouldRemain) }
    guard next.parts.count <= PartList.capacity else { return say(.tooManyParts) }
    next.selectedIndex = next.parts.firstIndex { $0.source == selected.source } ?? 0
    next.joins = list.joins || !list.isSeveral
    change(to: next, cause: "removed", &effects)
  }

  /// One undo step, as they may not be what the user wants now.
  mutating func partsDidReturn(_ kept: PartList, _ effects: inout [SessionEffect]) {
    guard !isFailed, kept.parts.count <= PartList.capacity,
      Set(kept.parts.map(\.id)).count == kept.parts.count,
      kept.markers.count <= PartList.markerCapacity,
      Set(kept.markers.map(\.id)).count == kept.markers.count,
      let inside = kept.clamped(into: sources)
    else { return }
    nextPartID = max(nextPartID, inside.nextID)
    change(to: inside, cause: "returned", &effects)
  }

  mutating func joinDidChange(to joins: Bool, _ effects: inout [SessionEffect]) {
    guard !isFailed, joins != list.joins else { return }
    var next = list
    next.joins = joins
    change(to: next, cause: joins ? "joined" : "separated", &effects)
  }

  mutating func limitDidChange(to limit: LengthLimit, _ effects: inout [SessionEffect]) {
    guard limit != self.limit else { return }
    let wasVerdict = verdict
    self.limit = limit
    isVideoLengthValid = verdict == .valid
    if verdict != wasVerdict { effects.deliver(.validityDidChange(verdict)) }
    var parameters: [LogEvent.Parameter] = []
    if let maximum = limit.maximum { parameters.append(.init("maximum", .length(maximum))) }
    effects.append(.log(LogEvent(.limitChanged, parameters)))
  }

  /// Applies a change as one undo step.
  mutating func change(
    to next: PartList, cause: String, _ effects: inout [SessionEffect]
  ) {
    dragDidEnd(&effects)
    guard next != list else { return }
    history.record(list)
    replace(with: next, cause: cause, &effects)
  }

  /// Replaces the current parts; where another file is shown then, its part is not played yet.
  mutating func replace(
    with next: PartList, cause: String, _ effects: inout [SessionEffect]
  ) {
    let previous = list
    let isOtherSource = previous.selected.source != next.selected.source
    if isOtherSource { pause(&effects) }
    let wasVerdict = verdict
    list = next
    isVideoLengthValid = verdict == .valid
    let isOtherRange = isOtherSource || previous.selected.range != timeRange
    if isOtherRange { effects.deliver(.timeRangeDidChange(timeRange)) }
    effects.deliver(.partsDidChange(list))
    if isOtherSource {
      playbackTime = timeRange.start
      effects.deliver(.seek(to: playbackTime))
    }
    if verdict != wasVerdict { effects.deliver(.validityDidChange(verdict)) }
    effects.log(
      .partsChanged, .init("cause", .text(cause)), .init("count", .count(list.parts.count)))
    if isOtherSource {
      requestPicture(of: .inPoint, timeRange.start, &effects)
    } else if isOtherRange {
      requestPicture(previous: previous.selected.range, &effects)
    }
    if isPlaying { returnPlayheadToRange(&effects) }
  }

  mutating func say(_ notice: SessionNotice) { self.notice = notice }
}

extension MediaTimeRange {
  /// What is left of a range after removing another: zero, one or two pieces.
  func subtracting(_ other: MediaTimeRange) -> [MediaTimeRange] {
    guard let common = intersection(other), !common.isEmpty else { return [self] }
    return [
      MediaTimeRange(from: start, to: common.start), MediaTimeRange(from: common.end, to: end),
    ].compactMap { $0 }.filter { !$0.isEmpty }
  }
}
