public import ExactTime

/// What becomes of one audio track: whole packets are copied, and the ends are exact to the sample
/// where the container can say so.
public struct AudioCut: Hashable, Sendable, Codable {
  /// The packets that are copied, in decode order.
  public var copied: Range<Int> = 0..<0
  /// Ticks of the first copied packet up to IN that are decoded and not heard.
  public var hiddenStart: Int64 = 0
  /// Ticks of the last copied packet after OUT, which are not heard.
  public var hiddenEnd: Int64 = 0
  /// Where the sound begins in the output; zero unless the source's begins later than IN.
  public var start: MediaTime = .zero
  /// How long it is heard, from ``start`` on.
  public var length: MediaDuration = .zero

  /// Creates a cut that copies nothing.
  public init() {}

  /// How many packets are copied, those that are only decoded included.
  public var packetCount: Int { copied.count }

  /// Copies one packet more in front, which is decoded and not heard; nothing where there is none.
  public mutating func addLeadPacket(_ track: CodedTrack) {
    guard copied.lowerBound > 0, hiddenStart == 0 else { return }
    copied = copied.lowerBound - 1..<copied.upperBound
    hiddenStart = track.packets[copied.lowerBound].duration
  }

  /// Sees to it that a packet which is not heard comes first, for codecs that yield sound only from the second
  /// on: the one before comes along; where there is none, the first is not heard.
  ///
  /// - Parameter frame: how long a frame is, for codecs whose packets hold several: only the first
  ///   frame is not heard. `nil` where a packet is a frame.
  /// - Parameter isAlone: whether nothing is shown beside it that would have to begin later with it.
  /// - Throws: ``ExactTimeError/overflow`` for a time outside 64 bits.
  public mutating func muteFirstPacket(
    _ track: CodedTrack, frame: MediaDuration? = nil, isAlone: Bool = false
  ) throws(ExactTimeError) {
    guard hiddenStart == 0, packetCount > 0 else { return }
    if frame == nil, try leadIn(track, isAlone: isAlone) { return }
    var packet = track.packets[copied.lowerBound].duration
    if frame == nil, packetCount > 1 {
      // Sound begins with the second, behind a gap or over what the first is said to last.
      let step = track.packets[copied.lowerBound + 1].pts &- track.packets[copied.lowerBound].pts
      if step > 0 { packet = step }
    }
    let first = try frame.map { (frame) throws(ExactTimeError) in
      try track.grid.ticks(of: frame, rounding: .nearest)
    }
    guard packetCount > 1 || first.map({ $0 < packet }) == true else { return addLeadPacket(track) }
    hiddenStart = min(packet, first ?? packet)
    let muted = try track.grid.duration(ofTicks: hiddenStart)
    start = try start.advanced(by: muted)
    length = try length.subtracting(muted)
  }

  /// Copies the packet before the first too, from zero on where it began before, and a tick of Matroska's before
  /// the first at least.
  ///
  /// - Returns: false where there is none, or no room for it.
  private mutating func leadIn(
    _ track: CodedTrack, isAlone: Bool
  ) throws(ExactTimeError) -> Bool {
    guard copied.lowerBound > 0 else { return false }
    let (lead, first) = (
      track.packets[copied.lowerBound - 1], track.packets[copied.lowerBound]
    )
    let least = try track.grid.ticks(of: MediaDuration(1, 1000), rounding: .up)
    let room = try track.grid.ticks(of: start.distance(from: .zero), rounding: .down)
    guard isAlone || packetCount == 1 || room >= least else { return false }
    copied = copied.lowerBound - 1..<copied.upperBound
    hiddenStart = max(least, min(room, lead.duration, first.pts &- lead.pts))
    return true
  }
}
