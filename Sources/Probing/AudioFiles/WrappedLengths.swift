import Libav
import MediaFacts

/// Replaces negative packet durations in Ogg, which FFmpeg stores in unsigned 32 bits: an end that
/// its last page states (RFC 3533, 6) before the beginning of the last packet.
///
/// The packet decodes to as much as the one before it, of which everything after that end is
/// dropped. Vorbis, whose packets vary in length, is counted in blocks.
struct WrappedLengths {
  private var streams = StreamSet()
  private var lengths = PerStream<Int64>()

  /// `nil` for other formats.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isOgg else { return nil }
    for track in demuxer.tracks where track.kind == .audio && track.codec != .vorbis {
      streams.insert(track.index)
    }
  }

  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard streams.contains(packet.stream) else { return }
    let kept = Int64(Int32(truncatingIfNeeded: packet.duration))
    guard kept < 0, packet.duration > Int64(Int32.max) else {
      lengths[packet.stream] = packet.duration
      return
    }
    // An end before zero is no position (``AudioPackets``).
    guard let length = lengths[packet.stream], length > 0,
      packet.pts.map({ $0.addingReportingOverflow(kept) != (-1, false) }) ?? true
    else { return }
    packet.duration = length
    packet.skippedAtEnd = Int(length - kept)
    demuxer.retime(packet)
  }
}
