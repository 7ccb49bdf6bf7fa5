public import ExactTime

/// Parts of several files: the file of the selected part is the one that is shown.
extension TrimmingSession {
  /// The maximum number of files.
  public static let mostSources = 100

  /// The index of the file that is shown, among ``sources``.
  public var shownSource: Int { list.selected.source }

  /// The whole of the file that is shown, on its own timeline.
  public var bounds: MediaTimeRange { sources[shownSource].bounds }

  /// The frames and keyframes of the file that is shown; unknown until it has loaded.
  public var timings: VideoTimings { sources[shownSource].timings }

  /// Parts may be of the file from now on; the list does not change.
  mutating func sourceDidAdd(_ source: TrimmingSource) {
    guard !isFailed else { return }
    guard sources.count < Self.mostSources else { return say(.tooManySources) }
    guard Self.clamped(source.bounds, into: source.bounds) != nil else {
      return say(.outsideVideo)
    }
    sources.append(source)
  }

  /// A part of a file follows the others, and is selected; a list of one part then becomes one file.
  mutating func partDidAppend(
    of source: Int, _ range: MediaTimeRange?, _ effects: inout [SessionEffect]
  ) {
    guard !isFailed, sources.indices.contains(source) else { return }
    guard list.parts.count < PartList.capacity else { return say(.tooManyParts) }
    let whole = sources[source].bounds
    guard let inside = Self.clamped(range ?? whole, into: whole) else {
      return say(.outsideVideo)
    }
    var next = list
    next.parts.append(TrimmingPart(id: nextPartID, range: inside, source: source))
    next.selectedIndex = next.parts.count - 1
    next.joins = list.joins || !list.isSeveral
    nextPartID += 1
    change(to: next, cause: "appended", &effects)
  }
}
