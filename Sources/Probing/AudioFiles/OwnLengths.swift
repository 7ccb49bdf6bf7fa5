import Bitstreams
import ExactTime
import Libav
import MediaFacts

/// The times of MP3 and AAC without a container, where frame durations differ from the first
/// frame's: FFmpeg counts all frames alike.
struct OwnLengths {
  private let track: LibavTrack
  private let grid: TickGrid
  private let rate: Int
  /// How much later than in FFmpeg the next packet begins, in ticks.
  private var shift: Int64 = 0

  /// `nil` for other formats.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.countsOwnFrames, let track = demuxer.tracks.first,
      let grid = track.grid, let rate = track.sampleRate, rate > 0
    else { return nil }
    (self.track, self.grid, self.rate) = (track, grid, rate)
  }

  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard packet.stream == track.index else { return }
    let length = demuxer.withPacketBytes { ownLength($0) }
    guard shift != 0 || length != nil else { return }
    packet.pts = packet.pts.map { $0 &+ shift }
    packet.dts = packet.dts.map { $0 &+ shift }
    if let length {
      shift &+= length &- packet.duration
      packet.duration = length
    }
    demuxer.retime(packet)
  }

  /// The duration of a frame in ticks, where it has a different rate than the stream or several
  /// blocks.
  private func ownLength(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let own =
      AudioFrameLength.atOwnRate(
        codec: track.codec, bytes: bytes, frameSize: track.frameSize, streamRate: rate)
      ?? AudioFrameLength.ofSeveralBlocks(
        codec: track.codec, bytes: bytes, frameSize: track.frameSize
      ).map { ($0, rate) }
    guard let own,
      let length = try? TickGrid(ticksPerSecond: Int64(own.rate)).duration(
        ofTicks: Int64(own.samples))
    else { return nil }
    return try? grid.ticks(of: length, rounding: .nearest)
  }
}
