import ExactTime
import Libav
import MediaFacts

/// Sets the durations of Windows Media Audio 1 and 2 packets that contain several frames.
///
/// FFmpeg gives all of them the average duration; each states how many frames end in it.
struct WindowsMediaClock {
  private struct Stream {
    /// Samples per frame, and per second.
    var samples: Int64
    var rate: TickGrid
    var grid: TickGrid
    var hasBegun = false
  }

  private var streams: [Int: Stream] = [:]

  /// `nil` where there is no such stream.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isASF else { return nil }
    for track in demuxer.tracks {
      guard WindowsMediaAudio.sharesFrames(track.codec, configuration: track.extradata),
        let samples = WindowsMediaAudio.frameLength(
          of: track.codec, sampleRate: track.sampleRate),
        let rate = track.sampleRate, rate > 0, let grid = track.grid
      else { continue }
      streams[track.index] = Stream(
        samples: Int64(samples), rate: TickGrid(ticksPerSecond: Int64(rate)), grid: grid)
    }
    if streams.isEmpty { return nil }
  }

  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard let stream = streams[packet.stream],
      let first = demuxer.withPacketBytes({ $0.first })
    else { return }
    let count = WindowsMediaAudio.frameCount(firstByte: first, isFirst: !stream.hasBegun)
    streams[packet.stream]?.hasBegun = true
    guard let length = try? stream.rate.duration(ofTicks: Int64(count) * stream.samples),
      let ticks = try? stream.grid.ticks(of: length, rounding: .nearest)
    else { return }
    packet.duration = ticks
    demuxer.retime(packet)
  }
}
