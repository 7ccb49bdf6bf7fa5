#if FFmpeg
  import ExactTime
  import Libav
  /// How long the last packet of True Audio in Matroska lasts.
  ///
  /// All frames last 256/245 s, but for the last, which is as long as the number of samples in the header
  /// leaves. Matroska does not keep that header: readers make one from the segment's duration.
  struct TrueAudioClock {
    private struct Stream {
      /// Samples from the next packet on.
      var left: Int64
      let frame: Int64
      let rate: TickGrid
      let grid: TickGrid
    }

    private var streams: [Int: Stream] = [:]

    /// `nil` where no stream is of this kind.
    init?(_ demuxer: borrowing Demuxer) {
      guard demuxer.formatName.hasPrefix("matroska") else { return nil }
      for track in demuxer.tracks where track.codec == "tta" {
        // "TTA1", format, channels and bits of two bytes each, then rate and samples of four.
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
#endif
