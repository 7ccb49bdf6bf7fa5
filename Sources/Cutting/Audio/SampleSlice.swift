import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Extracts samples from packets of uncompressed audio.
struct SampleSlice {
  let source: any CutSource
  /// The index of the track in the source.
  let index: Int
  let spool: PayloadSpool

  /// Keeps only some samples of a packet, counted from its first.
  func shorten(
    _ packet: inout OutputPacket, from start: Int64, to end: Int64
  ) throws(MediaError) {
    guard packet.duration > 0, start < end, let size = sampleSize(of: packet) else { return }
    let bytes = try packet.bytes(of: source, track: index, spool)
    // If the container states a gap after it, a packet lasts longer than its samples; if IN is in
    // that gap, the last sample is kept.
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

  /// The size in bytes of a sample of all channels, by codec, or the number of bytes per tick.
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
