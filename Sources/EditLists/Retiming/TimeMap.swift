public import ExactTime

/// Where the instants of one source are in a file that was cut from it, exactly.
///
/// A stretch that is written twice has two images; what is not written has none.
public struct TimeMap: Hashable, Sendable {
  /// A part of the source, and where it begins in the output.
  public struct Stretch: Hashable, Sendable {
    /// On the source's timeline.
    public let source: MediaTimeRange
    /// On the output's timeline.
    public let output: MediaTime

    /// Creates a stretch; its length is the same on both timelines.
    public init(_ source: MediaTimeRange, at output: MediaTime) {
      self.source = source
      self.output = output
    }
  }

  /// The stretches that hold something, in the output's order.
  public let stretches: [Stretch]
  /// Runs of stretches that follow each other on both timelines: in each, an instant occurs once at most.
  let passes: [Range<Int>]

  /// Creates a map of parts that follow each other in the output, from zero on.
  ///
  /// - Parameter parts: each with whether it is of the source that the map is for; others only take
  ///   their length in the output.
  /// - Throws: ``ExactTimeError/overflow`` where a time needs more than 64 bits.
  public init(
    following parts: some Sequence<(range: MediaTimeRange, isOwn: Bool)>
  ) throws(ExactTimeError) {
    var stretches: [Stretch] = []
    var output = MediaTime.zero
    for part in parts {
      if part.isOwn { stretches.append(Stretch(part.range, at: output)) }
      output = try output.advanced(by: part.range.checkedLength())
    }
    self.init(stretches)
  }

  /// Creates a map of stretches in the output's order.
  public init(_ stretches: [Stretch]) {
    let stretches = stretches.filter { !$0.source.isEmpty }
    self.stretches = stretches
    var passes: [Range<Int>] = []
    var start = 0
    for index in stretches.indices {
      let isLast = index + 1 == stretches.count
      guard isLast || Self.isDivided(stretches[index], stretches[index + 1]) else { continue }
      passes.append(start..<index + 1)
      start = index + 1
    }
    self.passes = passes
  }

  /// Whether what is before and after a seam cannot be one run: the source goes back, or something
  /// else lies between them in the output.
  private static func isDivided(_ stretch: Stretch, _ next: Stretch) -> Bool {
    guard next.source.start >= stretch.source.end,
      let length = try? stretch.source.checkedLength(),
      let end = try? stretch.output.advanced(by: length)
    else { return true }
    return end != next.output
  }

  /// The images of an instant, in the output's order.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where one needs more than 64 bits.
  public func images(of time: MediaTime) throws(ExactTimeError) -> [MediaTime] {
    var images: [MediaTime] = []
    for stretch in stretches where stretch.source.contains(time) {
      images.append(try stretch.image(of: time))
    }
    return images
  }

  /// The image of a range, in one run of stretches; `nil` where none of it is written there.
  ///
  /// What is removed from within the range is missing in its image, which goes on across the seam.
  func image(
    of range: MediaTimeRange, in pass: Range<Int>
  ) throws(ExactTimeError) -> (range: MediaTimeRange, isWhole: Bool)? {
    let first = pass.partitionPoint { stretches[$0].source.end > range.start }
    guard first < pass.upperBound else { return nil }
    if range.isEmpty {
      guard stretches[first].source.contains(range.start) else { return nil }
      let time = try stretches[first].image(of: range.start)
      return MediaTimeRange(from: time, to: time).map { ($0, true) }
    }
    guard stretches[first].source.start < range.end else { return nil }
    let last =
      (first..<pass.upperBound).partitionPoint { stretches[$0].source.start >= range.end } - 1
    let from = try stretches[first].image(of: max(range.start, stretches[first].source.start))
    let to = try stretches[last].image(of: min(range.end, stretches[last].source.end))
    guard let image = MediaTimeRange(from: from, to: to) else { return nil }
    return (image, try image.checkedLength() == range.checkedLength())
  }

  /// Where an instant is in a run, or where the run goes on after it; its end for one behind it.
  func position(of time: MediaTime, in pass: Range<Int>) throws(ExactTimeError) -> MediaTime {
    let place = pass.partitionPoint { stretches[$0].source.end > time }
    let stretch = stretches[min(place, pass.upperBound - 1)]
    return try stretch.image(of: min(max(time, stretch.source.start), stretch.source.end))
  }
}

extension TimeMap.Stretch {
  fileprivate func image(of time: MediaTime) throws(ExactTimeError) -> MediaTime {
    try output.advanced(by: time.distance(from: source.start))
  }
}
