/// Texts and the times they are on screen, in ticks.
struct TextEvents<Line: Hashable> {
  struct Event {
    var range: Range<Int64>
    var lines: [Line]
    /// The source packet.
    var place: Int
  }

  /// In order of their start times.
  private(set) var events: [Event] = []

  mutating func append(_ lines: [Line], from start: Int64, lasting duration: Int64, place: Int) {
    guard !lines.isEmpty, duration > 0 else { return }
    events.append(Event(range: start..<(start &+ duration), lines: lines, place: place))
  }

  /// The texts as a gapless sequence, one at a time.
  ///
  /// Samples of an MP4 track follow each other (ISO 14496-12, 8.6.1.2), so texts that are shown
  /// together become one sample, and a gap becomes one without lines. Identical lines are shown
  /// once: some files draw a text's shadow as a second text. If very many texts overlap, those that
  /// began first are kept.
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
    // When the first of those shown ends.
    var soonest = Int64.max
    for (start, stop) in zip(instants, instants.dropFirst()) {
      if soonest <= start {
        shown.removeAll { $0.range.upperBound <= start }
        soonest = shown.lazy.map(\.range.upperBound).min() ?? .max
      }
      while next < events.endIndex, events[next].range.lowerBound <= start {
        if shown.count < Self.mostKnown {
          shown.append(events[next])
          soonest = min(soonest, events[next].range.upperBound)
        }
        next += 1
      }
      place = shown.first?.place ?? place
      try body(
        Event(
          range: start..<stop, lines: Self.unique(shown.prefix(Self.mostTogether).flatMap(\.lines)),
          place: place))
    }
  }

  /// More than fit on a screen.
  private static var mostTogether: Int { 64 }
  /// With more texts on screen at once, the rest would not be legible anyway.
  private static var mostKnown: Int { 4096 }

  private static func unique(_ lines: [Line]) -> [Line] {
    var known: Set<Line> = []
    return lines.filter { known.insert($0).inserted }
  }
}
