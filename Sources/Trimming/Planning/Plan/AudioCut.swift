public import ExactTime

/// What becomes of one track of sound: whole packets are copied, and the ends are exact to the
/// sample where the container can say so.
public struct AudioCut: Hashable, Sendable, Codable {
  /// The packets that are copied, in decode order.
  public var copied: Range<Int> = 0..<0
  /// Ticks of the first copied packet up to IN that are decoded and not heard.
  public var hiddenStart: Int64 = 0
  /// Ticks of the last copied packet behind OUT, which are not heard.
  public var hiddenEnd: Int64 = 0
  /// Where the sound begins in the output; zero unless the source's begins later than IN.
  public var start: MediaTime = .zero
  /// How long it is heard.
  public var length: MediaDuration = .zero

  public init() {}

  public var packetCount: Int { copied.count }

  /// Puts the packet before in front, not to be heard.
  public mutating func addLeadPacket(_ track: CodedTrack) {
    guard copied.lowerBound > 0, hiddenStart == 0 else { return }
    copied = copied.lowerBound - 1..<copied.upperBound
    hiddenStart = track.packets[copied.lowerBound].duration
  }

  /// Counts the first packet as not heard, since its decoder makes sound only of the second.
  public mutating func muteFirstPacket(_ track: CodedTrack) throws(ExactTimeError) {
    guard packetCount > 1, hiddenStart == 0 else { return }
    hiddenStart = track.packets[copied.lowerBound].duration
    let muted = try track.grid.duration(ofTicks: hiddenStart)
    start = try start.advanced(by: muted)
    length = try length.subtracting(muted)
  }
}
