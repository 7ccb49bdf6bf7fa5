/// Texts and when they are on screen, in ticks.
struct TextEvents<Line: Hashable> {
  struct Event {
    var range: Range<Int64>
    var lines: [Line]
    /// The packet of the source.
    var place: Int
  }

  /// In the order of their beginning.
  private(set) var events: [Event] = []

  mutating func append(_ lines: [Line], from start: Int64, lasting duration: Int64, place: Int) {
    guard !lines.isEmpty, duration > 0 else { return }
    events.append(Event(range: start..<(start &+ duration), lines: lines, place: place))
  }

  /// One text at a time, without a gap.
  ///
  /// Samples of a track of MP4 follow each other (ISO 14496-12, 8.6.1.2), so that those that are shown together are one,
  /// and nothing is one without lines. Lines that are alike are shown once, as where a text has a layer for its shadow,
  /// and of very many those that began first.
  func oneAtATime<Failure>(
    in range: Range<Int64>, _ body: (Event) throws(Failure) -> Void
  ) throws(Failure) {
    let instants = Set(
      events.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        + [range.lowerBound, range.upperBound]
    ).sorted()
    var place = 0
    var shown: [Event] = []
    var next = events.startIndex
    for (start, stop) in zip(instants, instants.dropFirst()) {
      shown.removeAll { $0.range.upperBound <= start }
      while next < events.endIndex, events[next].range.lowerBound <= start {
        if shown.count < Self.mostKnown { shown.append(events[next]) }
        next += 1
      }
      place = shown.first?.place ?? place
      try body(
        Event(
          range: start..<stop, lines: Self.unique(shown.prefix(Self.mostTogether).flatMap(\.lines)),
          place: place))
    }
  }

  /// More than a screen has room for.
  private static var mostTogether: Int { 64 }
  /// Those behind so many that are on at once are no text that anybody reads.
  private static var mostKnown: Int { 4096 }

  private static func unique(_ lines: [Line]) -> [Line] {
    var known: Set<Line> = []
    return lines.filter { known.insert($0).inserted }
  }
}
