import ExactTime

extension TrimmingSession {
  /// The markers of the file that is shown, in order of time.
  private var shownMarkers: [TrimmingMarker] {
    list.markers.filter { $0.source == shownSource }
  }

  /// A marker is put where the playhead is: what is on screen is what was meant, so it does not snap.
  mutating func markerDidAdd(_ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    guard !shownMarkers.contains(where: { $0.position == playbackTime }) else {
      return say(.markerIsHere)
    }
    guard list.markers.count < PartList.markerCapacity else { return say(.tooManyMarkers) }
    var next = list
    let here = (shownSource, playbackTime)
    let place = next.markers.firstIndex { ($0.source, $0.position) > here }
    next.markers.insert(
      TrimmingMarker(id: list.nextMarkerID, position: playbackTime, source: shownSource),
      at: place ?? next.markers.endIndex)
    change(to: next, cause: "marked", &effects)
  }

  mutating func markerDidRename(_ id: Int, _ name: String, _ effects: inout [SessionEffect]) {
    guard !isFailed, let index = list.markers.firstIndex(where: { $0.id == id }) else { return }
    var next = list
    next.markers[index].name = String(name.prefix(Self.longestName))
    change(to: next, cause: "marker_renamed", &effects)
  }

  /// Deletes a marker; without an identifier, the one at the playhead.
  mutating func markerDidDelete(_ id: Int?, _ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    let found = list.markers.firstIndex { marker in
      id.map { $0 == marker.id }
        ?? (marker.source == shownSource && marker.position == playbackTime)
    }
    guard let found else { return say(.noMarkerHere) }
    var next = list
    next.markers.remove(at: found)
    change(to: next, cause: "unmarked", &effects)
  }

  /// The playhead goes to the next marker, or for a negative number to the previous one.
  mutating func markerDidStep(by count: Int, _ effects: inout [SessionEffect]) {
    guard !isFailed, count != 0 else { return }
    let found =
      count > 0
      ? shownMarkers.first { $0.position > playbackTime }
      : shownMarkers.last { $0.position < playbackTime }
    guard let found else { return say(count > 0 ? .noMarkerAfter : .noMarkerBefore) }
    playheadDidMove(to: found.position, &effects)
  }
}
