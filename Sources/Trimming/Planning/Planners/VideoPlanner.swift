public import MediaFacts

/// Plans the cut of one video track.
public struct VideoPlanner {
  /// How leading pictures of an open GOP are treated.
  public enum LeadingPictures: Sendable {
    /// They are encoded with the head; the copied run continues without them.
    case inHead
    /// They keep their position in decode order, so that later references to them stay valid;
    /// without a head before them, as ``inHead``.
    case inPlace
  }

  let packets: ContiguousArray<CodedPacket>
  let leadingPictures: LeadingPictures
  /// Whether frames must be re-encoded before a copied run that does not start at an IDR picture.
  let needsHead: Bool
  /// The random access kind of a packet that the container flags as key.
  let access: (Int) -> RandomAccessKind

  /// Creates a planner; `access` is called, with an index in decode order, only for packets that
  /// the container flags as key.
  public init(
    _ packets: ContiguousArray<CodedPacket>, leadingPictures: LeadingPictures,
    needsHead: Bool = false, access: @escaping (Int) -> RandomAccessKind
  ) {
    self.packets = packets
    self.leadingPictures = leadingPictures
    self.needsHead = needsHead
    self.access = access
  }

  /// Copies whatever can be copied; re-encodes the rest.
  ///
  /// - Parameter range: ticks of the track, half-open.
  public func smart(_ range: Range<Int64>) -> VideoCut {
    let wanted = places(in: range)
    guard !wanted.isEmpty else { return VideoCut() }
    for key in entries(in: range) {
      guard let cut = cut(range, wanted: wanted, from: key) else { continue }
      if needsHead, access(key) != .idr, cut.head.isEmpty { continue }
      return cut
    }
    return encoded(range, because: .noRandomAccessPoint)
  }

  /// Re-encodes every frame of a range of ticks.
  public func encoded(_ range: Range<Int64>, because reason: TrackPlan.Reason) -> VideoCut {
    var cut = VideoCut()
    cut.tail = places(in: range)
    cut.reason = reason
    cut.tailSource = source(of: cut.tail)
    return cut
  }

  /// Copies whole GOPs, for an edit list to hide what lies outside; encodes nothing.
  public func hiding(_ range: Range<Int64>) -> VideoCut {
    var cut = VideoCut()
    let wanted = places(in: range)
    guard let first = wanted.min(), let last = wanted.max() else { return cut }
    let earliest = wanted.map { packets[$0].pts }.min() ?? range.lowerBound
    var start = first
    while start > 0, !(packets[start].isKey && packets[start].pts <= earliest && isEntry(start)) {
      start -= 1
    }
    cut.copied = start..<last + 1
    // At the beginning of the file, all their references are present.
    cut.left = start == 0 ? [] : cut.copied.filter { packets[$0].pts < packets[start].pts }
    let left = Set(cut.left)
    cut.hidden = cut.copied.filter { !range.contains(packets[$0].pts) && !left.contains($0) }
    cut.entry = .closed
    return cut
  }

  /// The ticks from the last keyframe at or before a range to the first at or after it, or to the end of the
  /// media if there is none; `nil` where the track has no keyframe to start from.
  public func wholeGroups(around range: Range<Int64>) -> Range<Int64>? {
    func isKey(_ place: Int) -> Bool { packets[place].isKey && isEntry(place) }
    guard
      let start = packets.indices.last(where: {
        packets[$0].pts <= range.lowerBound && isKey($0)
      }) ?? packets.indices.first(where: isKey)
    else { return nil }
    let from = packets[start].pts
    var to = packets.map { $0.pts &+ max(1, $0.duration) }.max() ?? from
    if let end = packets.indices.first(where: { packets[$0].pts >= range.upperBound && isKey($0) })
    {
      // The leading pictures of that keyframe cannot be shown without it.
      to = packets[end...].prefix(Self.reach).map(\.pts).min() ?? packets[end].pts
    }
    return from..<max(from, to)
  }

  /// Packets whose frames are shown in a range, in decode order.
  func places(in range: Range<Int64>) -> [Int] {
    packets.indices.filter { range.contains(packets[$0].pts) }
  }

  /// Keyframes in the range at which decoding can start, in decode order.
  private func entries(in range: Range<Int64>) -> some Sequence<Int> {
    packets.indices.lazy.filter { place in
      packets[place].isKey && range.contains(packets[place].pts) && isEntry(place)
    }
  }

  private func isEntry(_ place: Int) -> Bool {
    switch access(place) {
    case .idr, .recoveryPoint, .intra: true
    case .cra, .bla: !sharesTime(place)
    case .flaggedOnly, .unknown: false
    }
  }

  /// Whether a picture that is decoded later has the same PTS as a keyframe: its time then does not show
  /// whether it is a leading picture, and decoders that start at the keyframe skip those (ITU-T H.265,
  /// 8.1.3).
  private func sharesTime(_ place: Int) -> Bool {
    packets[place...].dropFirst().prefix(Self.reach).contains { $0.pts == packets[place].pts }
  }

  /// How far ahead in decode order to look for frames that are shown earlier: a decoder holds sixteen, and a
  /// container's packet may be a single field.
  private static let reach = 64

  /// The cut at a keyframe; `nil` where the frames before and after it cannot be separated there.
  private func cut(_ range: Range<Int64>, wanted: [Int], from key: Int) -> VideoCut? {
    let entry = packets[key].pts
    // Frames decoded before the keyframe must be shown before it.
    guard !wanted.contains(where: { $0 < key && packets[$0].pts >= entry }) else { return nil }
    guard let end = copyEnd(range, from: key) else { return nil }
    var cut = VideoCut()
    cut.copied = key..<end
    cut.left = (key..<end).filter { packets[$0].pts < entry }
    let leading = wanted.filter { $0 > key && packets[$0].pts < entry }
    // Leading pictures after the end of the copied run would be lost.
    guard leading.allSatisfy({ $0 < end }) || cut.left.isEmpty else { return nil }
    cut.entry = cut.left.isEmpty && access(key) != .cra ? .closed : .open
    let before = wanted.filter { $0 < key }
    let firstLeading = cut.left.map { packets[$0].pts }.min() ?? entry
    let isParted = before.allSatisfy { packets[$0].pts < firstLeading }
    if leadingPictures == .inPlace, cut.entry == .open, !before.isEmpty, isParted,
      leading.count == cut.left.count
    {
      cut.head = before
      cut.replaced = leading
    } else {
      cut.head = before + leading
    }
    cut.tail = wanted.filter { $0 >= end && packets[$0].pts > entry }
    cut.headSource = source(of: cut.head + cut.replaced)
    cut.tailSource = source(of: cut.tail)
    return cut
  }

  /// Where the copied run ends in decode order: at the first packet of a frame at or past OUT, or
  /// before it where frames of the range would otherwise be shown before copied ones.
  ///
  /// `nil` when nothing remains.
  private func copyEnd(_ range: Range<Int64>, from key: Int) -> Int? {
    var end = key
    while end < packets.count, packets[end].pts < range.upperBound { end += 1 }
    // The earliest frame of the range that is decoded later.
    var earliest = Int64.max
    for place in end..<packets.count where packets[place].pts < range.upperBound {
      guard packets[place].pts > packets[key].pts else { continue }
      earliest = min(earliest, packets[place].pts)
      if place > end + Self.reach { break }
    }
    while end > key, packets[key..<end].suffix(Self.reach).contains(where: { $0.pts > earliest }) {
      end -= 1
      if packets[end].pts > packets[key].pts { earliest = min(earliest, packets[end].pts) }
    }
    return end > key ? end : nil
  }

  /// The packets to decode for some frames, starting at the keyframe before all of them.
  private func source(of places: [Int]) -> Range<Int> {
    guard let first = places.min(), let last = places.max(),
      let earliest = places.map({ packets[$0].pts }).min()
    else { return 0..<0 }
    var start = first
    while start > 0 {
      if packets[start].isKey, packets[start].pts <= earliest, isEntry(start) { break }
      start -= 1
    }
    // A frame is output only once later frames in decode order show that none precedes it.
    var end = last + 1
    let latest = places.map { packets[$0].pts }.max() ?? earliest
    while end < packets.count, packets[end].pts < latest { end += 1 }
    return start..<end
  }
}
