/// Texts and when they are on screen, in ticks.
struct TextEvents<Line: Hashable> {
  struct Event {
    var range: Range<Int64>
    var lines: [Line]
    /// The packet of the source.
    var place: Int
  }

  /// In the order of their beginning.
  private var events: [Event] = []

  /// - Parameter duration: ticks; what states none is shown until the next one begins.
  mutating func append(_ lines: [Line], from start: Int64, lasting duration: Int64, place: Int) {
    guard !lines.isEmpty else { return }
    if let last = events.indices.last, events[last].range.isEmpty {
      events[last].range = events[last].range.lowerBound..<start
    }
    events.append(Event(range: start..<(start &+ max(0, duration)), lines: lines, place: place))
  }

  /// One text at a time, without a gap: samples of a track of MP4 follow each other (ISO 14496-12, 8.6.1.2), so that
  /// those that are shown together are one, and nothing is one without lines. Lines that are alike are shown once, as
  /// where a text has a layer for its shadow, and of very many those that began first.
  func oneAtATime(in range: Range<Int64>) -> [Event] {
    let events = ended(by: range.upperBound)
    let instants = Set(
      events.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        + [range.lowerBound, range.upperBound]
    ).sorted()
    var result: [Event] = []
    var shown: [Event] = []
    var next = events.startIndex
    for (start, stop) in zip(instants, instants.dropFirst()) {
      shown.removeAll { $0.range.upperBound <= start }
      while next < events.endIndex, events[next].range.lowerBound <= start {
        if shown.count < Self.mostTogether { shown.append(events[next]) }
        next += 1
      }
      result.append(
        Event(
          range: start..<stop, lines: Self.unique(shown.flatMap(\.lines)),
          place: shown.first?.place ?? result.last?.place ?? 0))
    }
    return result
  }

  /// More than a screen has room for.
  private static var mostTogether: Int { 64 }

  private static func unique(_ lines: [Line]) -> [Line] {
    var known: Set<Line> = []
    return lines.filter { known.insert($0).inserted }
  }

  /// As they were appended.
  func ended(by end: Int64) -> [Event] {
    var result = events
    if let last = result.indices.last, result[last].range.isEmpty {
      result[last].range = result[last].range.lowerBound..<max(end, result[last].range.lowerBound)
    }
    return result.filter { !$0.range.isEmpty && $0.range.lowerBound < end }
  }
}
