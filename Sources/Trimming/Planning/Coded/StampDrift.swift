/// How far packets are from where they would be if laid end to end, in ticks.
///
/// Where one timestamp covers many packets, readers derive the others from packet lengths.
package struct StampDrift {
  /// The largest difference in lag between two packets that begin within ``length`` of each other.
  package private(set) var most: Int64 = 0
  private let length: Int64
  private var end: Int64?
  /// How much later the last packet is than the first packet's time plus all lengths in between.
  private var lag: Int64 = 0
  /// Candidates for the minimum and the maximum lag within the window of ``length``.
  private var (lows, highs): ([Stamp], [Stamp]) = ([], [])

  private struct Stamp {
    let pts: Int64
    let lag: Int64
  }

  package init(within length: Int64) { self.length = length }

  package mutating func add(pts: Int64, duration: Int64) {
    if let end { lag &+= pts &- end }
    end = pts &+ duration
    let stamp = Stamp(pts: pts, lag: lag)
    Self.add(stamp, to: &lows, within: length) { $0 >= $1 }
    Self.add(stamp, to: &highs, within: length) { $0 <= $1 }
    most = max(most, highs[0].lag &- lows[0].lag)
  }

  private static func add(
    _ stamp: Stamp, to stamps: inout [Stamp], within length: Int64,
    replaces: (Int64, Int64) -> Bool
  ) {
    while let last = stamps.last, replaces(last.lag, stamp.lag) { stamps.removeLast() }
    stamps.append(stamp)
    let late = stamps.firstIndex { stamp.pts &- $0.pts <= length } ?? 0
    stamps.removeFirst(late)
  }
}
