#if FFmpeg
  import ExactTime
  import MediaFacts
  import Trimming

  /// Takes samples out of packets of uncompressed sound.
  struct SampleSlice {
    let source: any CutSource
    /// Of the track, in the source.
    let index: Int
    let spool: PayloadSpool

    /// Leaves samples of a packet alone, counted from its first.
    func shorten(
      _ packet: inout OutputPacket, from start: Int64, to end: Int64
    ) throws(CutError) {
      guard packet.duration > 0, start < end, let size = sampleSize(of: packet) else { return }
      let bytes = try packet.bytes(of: source, track: index, spool)
      // Where the container states a gap behind it, a packet lasts longer than its samples; of one in
      // whose gap IN lies, the last is left.
      let stop = min(end, Int64(bytes.count / size))
      let first = min(start, stop - 1)
      guard first >= 0 else { return }
      let kept = Array(bytes[Int(first) * size..<Int(stop) * size])
      packet.pts += start
      packet.dts = packet.pts
      packet.duration = stop - first
      packet.byteCount = kept.count
      packet.payload = .made(try spool.add(kept))
    }

    /// Bytes of a sample of all channels, as the codec has them, or as many as a tick has.
    func sampleSize(of packet: OutputPacket) -> Int? {
      let track = source.tracks[index]
      let rate = Int64(max(1, track.facts.audio?.sampleRate ?? 0))
      if let size = PacketSamples.size(track.facts.codec, track),
        track.coded.grid == TickGrid(ticksPerSecond: rate)
      {
        return size
      }
      guard packet.duration > 0, Int64(packet.byteCount) % packet.duration == 0 else { return nil }
      return Int(Int64(packet.byteCount) / packet.duration)
    }
  }
#endif
