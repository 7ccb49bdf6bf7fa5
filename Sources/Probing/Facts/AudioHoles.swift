package import ExactTime
package import MediaFacts

/// Where a track's packets leave its sound out for longer than a packet.
///
/// Timestamps that only jitter leave no hole: what follows then begins before its predecessor ends.
package struct AudioHoles {
  package struct Hole: Hashable, Sendable {
    /// The number of the packet after it.
    package var packet: Int
    /// Where the sound before it ends and the sound after it begins, in ticks.
    package var from: Int64
    package var to: Int64
  }

  /// In file order, no more than are useful.
  package private(set) var holes: [Hole] = []
  private static let most = 10_000
  /// How many packets after a hole may still show that there is none.
  private static let patience = 8

  /// The end of the sound so far, and the shortest hole after it.
  private var end: Int64?
  private var least: Int64 = 0

  package init() {}

  /// Begins again at a new clock.
  package mutating func reset() { end = nil }

  /// - Parameters:
  ///   - length: how long the packet is heard; 0 where that is not known.
  ///   - least: the shortest hole behind it.
  package mutating func add(packet: Int, at start: Int64, length: Int64, least: Int64) {
    if let end, self.least > 0 {
      let (distance, overflow) = start.subtractingReportingOverflow(end)
      if !overflow, distance >= self.least, holes.count < Self.most {
        holes.append(Hole(packet: packet, from: end, to: start))
      } else if !overflow, distance < -self.least / 2, let last = holes.last,
        packet - last.packet <= Self.patience
      {
        holes.removeLast()
      }
    }
    let (next, overflow) = start.addingReportingOverflow(length)
    end = length > 0 && !overflow ? next : nil
    self.least = least
  }
}

extension AudioHoles {
  /// How many are listed.
  private static let mostListed = 4

  /// - Parameter ranges: where sound is missing, counted from the file's first presented sample.
  package static func note(of ranges: [MediaTimeRange], track: Int) -> Note? {
    guard let first = ranges.first else { return nil }
    func text(_ range: MediaTimeRange) -> String {
      "from \(SecondsText.text(range.start.seconds)) to \(SecondsText.text(range.end.seconds)) s"
    }
    guard ranges.count > 1 else {
      return Note(.soundGap, track: track, "Sound is missing \(text(first)).")
    }
    var places = ranges.prefix(mostListed).map(text)
    if ranges.count > mostListed { places.append("…") }
    let total = ranges.reduce(MediaDuration?.some(.zero)) { sum, range in
      sum.flatMap { sum in (try? range.checkedLength()).flatMap { try? sum.adding($0) } }
    }
    return Note(
      .soundGap, track: track,
      "Sound is missing in \(ranges.count) places"
        + (total.map { ", \(Disagreements.text($0)) in all" } ?? "") + ": "
        + places.joined(separator: ", ") + ".")
  }
}
