#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav

  /// The times of MP3 and AAC without a container, where a frame lasts longer or shorter than the first:
  /// FFmpeg counts all of them alike.
  struct OwnLengths {
    private let track: LibavTrack
    private let grid: TickGrid
    private let rate: Int
    /// How much later than FFmpeg has it the next packet begins, in ticks.
    private var shift: Int64 = 0

    /// `nil` for other formats.
    init?(_ demuxer: borrowing Demuxer) {
      guard ["mp3", "aac"].contains(demuxer.formatName), let track = demuxer.tracks.first,
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

    /// How long a frame lasts in ticks, where it has another rate than the stream or several blocks.
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
#endif
