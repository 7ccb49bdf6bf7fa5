import Bitstreams
import ExactTime
import Libav
import MediaFacts

/// The times of raw FLAC from its frame or sample numbers (RFC 9639, 9.1.5), where FFmpeg has
/// none, as after damage, or makes them up, as in a file without STREAMINFO.
struct FLACClock {
  private let stream: Int
  private let grid: TickGrid
  private let samples: TickGrid
  /// False without STREAMINFO, where FFmpeg seeks by times that it made up.
  let isDescribed: Bool
  /// The length of every block but the last, for fixed block sizes.
  private var blockSize: Int64?

  /// `nil` for other formats.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isFLAC,
      let track = demuxer.tracks.first(where: { $0.codec == .flac }), let grid = track.grid,
      let rate = track.sampleRate, rate > 0
    else { return nil }
    stream = track.index
    self.grid = grid
    samples = TickGrid(ticksPerSecond: Int64(rate))
    // 8.2: the minimum and maximum block size, 16 bits each.
    isDescribed = track.extradata.count == 34
    if isDescribed { blockSize = Int64(track.extradata[2]) << 8 | Int64(track.extradata[3]) }
  }

  /// Sets the times of the packet that the demuxer read last, also for decoding.
  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard packet.stream == stream, packet.pts == nil || !isDescribed else { return }
    let frame = demuxer.withPacketBytes { Array($0) }
    guard let number = FLACFrame.number(of: frame), number < 1 << 36,
      case .samples(let count) = AudioFrameLength.samples(
        codec: .flac, frame, frameSize: 0)
    else { return }
    let size = blockSize ?? Int64(count)
    blockSize = size
    // 9.1.1: the last bit of the first two bytes states whether the block size varies.
    let step = frame[1] & 1 == 1 ? 1 : size
    guard let start = tick(Int64(number) * step),
      let end = tick(Int64(number) * step + Int64(count))
    else { return }
    packet.pts = start
    packet.dts = start
    packet.duration = end - start
    demuxer.retime(packet)
  }

  private func tick(_ sample: Int64) -> Int64? {
    guard let time = try? samples.time(atTick: sample) else { return nil }
    return try? grid.tick(of: time, rounding: .nearest)
  }
}
