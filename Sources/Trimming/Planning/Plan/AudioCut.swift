public import ExactTime

/// How one audio track is cut: whole packets are copied, and the ends are exact to the sample where
/// the container can express it.
public struct AudioCut: Hashable, Sendable, Codable {
  /// The packets that are copied, in decode order.
  public var copied: Range<Int> = 0..<0
  /// Ticks of the first copied packets before IN, which are decoded but not heard.
  public var hiddenStart: Int64 = 0
  /// Ticks of the last copied packet after OUT, which are not heard.
  public var hiddenEnd: Int64 = 0
  /// Where the audio begins in the output; zero unless the source's begins later than IN.
  public var start: MediaTime = .zero
  /// How long it is heard, starting at ``start``.
  public var length: MediaDuration = .zero

  /// Creates a cut that copies nothing.
  public init() {}

  /// How many packets are copied, including those that are only decoded.
  public var packetCount: Int { copied.count }

  /// Copies one more packet at the front, which is decoded but not heard; does nothing if there is
  /// none.
  public mutating func addLeadPacket(_ track: CodedTrack) {
    guard copied.lowerBound > 0, hiddenStart == 0 else { return }
    copied = copied.lowerBound - 1..<copied.upperBound
    hiddenStart = track.packets[copied.lowerBound].duration
  }

  /// Ensures that the first packet is not heard, for codecs that produce sound only from the second packet
  /// on: the preceding packet is added; where there is none, the first is muted.
  ///
  /// - Parameter frame: the frame duration, for codecs whose packets hold several: only the first
  ///   frame is not heard. `nil` where a packet is a frame.
  /// - Parameter isAlone: whether there is no video that would have to begin later with it.
  /// - Throws: ``ExactTimeError/overflow`` for a time outside 64 bits.
  public mutating func muteFirstPacket(
    _ track: CodedTrack, frame: MediaDuration? = nil, isAlone: Bool = false
  ) throws(ExactTimeError) {
    guard hiddenStart == 0, packetCount > 0 else { return }
    if frame == nil, try leadIn(track, isAlone: isAlone) { return }
    var packet = track.packets[copied.lowerBound].duration
    if frame == nil, packetCount > 1 {
      // Sound begins with the second packet, even if that is after a gap or before the stated end
      // of the first.
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

  /// Also copies the packet before the first, starting at zero if it began before that, and at least one
  /// Matroska tick before the first.
  ///
  /// - Returns: `false` if there is none, or no room for it.
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
