import Libav
import MediaFacts

/// A quirk of an input format that its packets show, one after another, in file order.
///
/// A new one gets a type of its own and a place in ``PacketObservers``.
protocol PacketObserver {
  /// Looks at a packet, whose times are already corrected; it may mark it as corrupt.
  mutating func see(_ packet: inout PacketFacts) -> PacketStanding
  /// What was found, once all packets have been seen.
  mutating func finish() -> PacketFindings
}

extension PacketObserver {
  mutating func finish() -> PacketFindings { PacketFindings() }
}

/// What a packet is to the scan.
enum PacketStanding {
  /// One of the stream's.
  case counted
  /// The same, but something may be missing in front of it.
  case behindGap
  /// Something else, misread by FFmpeg.
  case leftOut
  /// Behind the end of what is presented: nothing more is read.
  case behindEnd
}

/// What an observer found besides where packets stand.
struct PacketFindings {
  var notes: [Note] = []
  var damage: [Damage] = []
  /// By stream, the numbers of packets, from 0, that are complete although they are marked as corrupt.
  var whole: [Int: Set<Int>] = [:]
  /// A truncated frame behind the last packet of the only stream.
  var cutShort: AudioPackets.CutShortFrame?
}
