package import ExactTime

/// When each picture of a track is shown, and from where it can be decoded.
///
/// ```
/// index   0  1  2  3  4      in the order of decoding
/// pts     0  3  1  2  4
/// place   0  3  1  2  4      in the order of presentation, edits not applied
/// frame   –  2  0  1  3      as presented: an edit hides the first
/// ```
package struct FrameTable: Sendable {
  package let grid: TickGrid
  /// The PTS by index; in ticks of one of the clocks.
  package let pts: ContiguousArray<Int64>
  /// The PTS stated by packets, by index, where some pictures are shown at other times.
  let stated: ContiguousArray<Int64>?
  /// Whether no packet states a time, so that packets are identified by number.
  let countsPackets: Bool
  /// The indices, sorted by stated PTS.
  private let statedOrder: ContiguousArray<Int32>
  /// The index at each position in presentation order.
  package let order: ContiguousArray<Int32>
  /// The stretches of one clock each; the same ranges for indices and positions.
  package let clocks: [Range<Int>]
  /// Random access points, by ascending index.
  package let keys: [Key]
  /// What is shown, in presentation order; never empty.
  package let stretches: [Stretch]
  /// From the first picture to the end of the last.
  package let presented: MediaTimeRange

  package struct Key: Sendable {
    package var index: Int
    /// Its DTS, where the container seeks by that.
    package var dts: Int64?
    package var byteOffset: Int64?
  }

  /// A run of pictures shown one after another.
  package struct Stretch: Sendable {
    package var start: MediaTime
    package var end: MediaTime
    /// The tick, not always that of a picture, from which it is shown.
    package var mediaStart: Int64
    /// How long before ``start`` that tick would be shown, where the stretch begins between two ticks.
    package var lead: MediaDuration = .zero
    /// Media seconds per second of the timeline; zero for a dwell.
    package var rate: Rational
    package var places: Range<Int>
    /// The number of frames presented before it.
    package var firstFrame: Int
  }

  package var frameCount: Int {
    guard let last = stretches.last else { return 0 }
    return last.firstFrame + last.places.count
  }

  package init?(
    grid: TickGrid, pts: ContiguousArray<Int64>, stated: ContiguousArray<Int64>? = nil,
    countsPackets: Bool = false, clocks: [Range<Int>], keys: [Key],
    stretches: (borrowing Layout) -> [Stretch]
  ) {
    guard !pts.isEmpty, pts.count < Int32.max else { return nil }
    self.grid = grid
    self.pts = pts
    self.stated = stated == pts && !countsPackets ? nil : stated
    self.countsPackets = countsPackets
    statedOrder = self.stated.map { Self.order($0, [$0.indices]) } ?? []
    order = Self.order(pts, clocks)
    self.clocks = clocks
    self.keys = keys
    self.stretches = stretches(Layout(pts: pts, order: order))
    guard let first = self.stretches.first, let last = self.stretches.last,
      let range = MediaTimeRange(from: first.start, to: last.end)
    else { return nil }
    presented = range
  }

  private static func order(
    _ pts: ContiguousArray<Int64>, _ clocks: [Range<Int>]
  ) -> ContiguousArray<Int32> {
    var order = ContiguousArray(0..<Int32(pts.count))
    for clock in clocks {
      var isAscending = true
      for index in clock.dropFirst() where pts[index] < pts[index - 1] { isAscending = false }
      if isAscending { continue }
      order[clock].sort { (pts[Int($0)], $0) < (pts[Int($1)], $1) }
    }
    return order
  }

  /// The data available while the stretches are built.
  package struct Layout {
    fileprivate let pts: ContiguousArray<Int64>
    fileprivate let order: ContiguousArray<Int32>

    package func pts(atPlace place: Int) -> Int64 { pts[Int(order[place])] }

    /// The first position in a clock whose tick satisfies a condition.
    package func firstPlace(in clock: Range<Int>, where isReached: (Int64) -> Bool) -> Int {
      clock.partitionPoint { isReached(pts(atPlace: $0)) }
    }
  }

  private var layout: Layout { Layout(pts: pts, order: order) }

  // MARK: Pictures and packets

  package func pts(atPlace place: Int) -> Int64 { pts[Int(order[place])] }

  /// The position of the picture on screen at a tick of the clock that an index belongs to.
  package func place(ofTick tick: Int64, near index: Int) -> Int {
    let clock = clocks.first { $0.contains(index) } ?? clocks[0]
    let after = layout.firstPlace(in: clock) { $0 > tick }
    return max(clock.lowerBound, after - 1)
  }

  /// The position of a picture; `nil` when none has this tick.
  package func place(ofPTS tick: Int64, near index: Int) -> Int? {
    let place = place(ofTick: tick, near: index)
    return pts(atPlace: place) == tick ? place : nil
  }

  /// The index of the packet that states a tick; of several, the one nearest to an index.
  func index(ofStated tick: Int64, near index: Int) -> Int? {
    guard let stated else { return place(ofPTS: tick, near: index).map { Int(order[$0]) } }
    let after = statedOrder.indices.partitionPoint {
      let other = Int(statedOrder[$0])
      return (stated[other], other) >= (tick, index)
    }
    return [after - 1, after].filter(statedOrder.indices.contains).map { Int(statedOrder[$0]) }
      .filter { stated[$0] == tick }.min { abs($0 - index) < abs($1 - index) }
  }

  /// The last random access point from which the picture at a position can be decoded, as an index
  /// into ``keys``: not one for which it is a leading picture.
  package func key(forPlace place: Int) -> Int? {
    let index = Int(order[place])
    let tick = pts[index]
    let behind = keys.indices.partitionPoint { keys[$0].index > index }
    let clockStart = clocks.first { $0.contains(index) }?.lowerBound ?? 0
    var key = behind - 1
    while key >= 0, keys[key].index >= clockStart, pts[keys[key].index] > tick { key -= 1 }
    return key >= 0 ? key : nil
  }
}
