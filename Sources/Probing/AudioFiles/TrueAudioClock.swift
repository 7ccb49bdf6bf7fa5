import ExactTime
import Libav
import MediaFacts

/// Sets the duration of the last packet of True Audio in Matroska.
///
/// All frames last 256/245 s except the last, which has the rest of the samples stated in the
/// header. Matroska does not store that header: readers make one from the segment's duration.
struct TrueAudioClock {
  private struct Stream {
    /// The samples left from the next packet on.
    var left: Int64
    let frame: Int64
    let rate: TickGrid
    let grid: TickGrid
  }

  private var streams: [Int: Stream] = [:]

  /// `nil` where there is no such stream.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isMatroska else { return nil }
    for track in demuxer.tracks where track.codec == .tta {
      // "TTA1", then format, channels and bits of two bytes each, then rate and samples of four
      // bytes each.
      guard track.extradata.count >= 18, let rate = track.sampleRate, rate > 0,
        let grid = track.grid
      else { continue }
      let samples = track.extradata[14..<18].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      streams[track.index] = Stream(
        left: samples, frame: Int64(rate) * 256 / 245,
        rate: TickGrid(ticksPerSecond: Int64(rate)), grid: grid)
    }
    if streams.isEmpty { return nil }
  }

  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard let stream = streams[packet.stream] else { return }
    streams[packet.stream]?.left -= stream.frame
    guard stream.left > 0, stream.left < stream.frame,
      let length = try? stream.rate.duration(ofTicks: stream.left),
      let ticks = try? stream.grid.ticks(of: length, rounding: .nearest), ticks > 0
    else { return }
    packet.duration = ticks
    demuxer.retime(packet)
  }
}
