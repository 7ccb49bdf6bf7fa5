import Bitstreams
import ExactTime
import Libav
import MediaFacts

/// The times of frames in laced Matroska blocks (RFC 9559, 10.3): only the first has a time, and
/// FFmpeg adds up whole ticks for the others, which are up to three milliseconds early after
/// eight frames.
struct LacedTimes {
  private struct Stream {
    let track: LibavTrack
    let rate: TickGrid
    let grid: TickGrid
    /// Gives the length of Vorbis blocks, using the stream's headers.
    var vorbis: VorbisBlocks?
    /// The byte offset and the start time of the block that was read last.
    var block: Int64?
    var start: Int64 = 0
    /// The frames read so far in the block and their samples; `nil` where one is unknown.
    var frames: Int64 = 0
    var samples: Int64?
  }

  private var streams: [Int: Stream] = [:]

  /// `nil` for other formats, and without audio.
  init?(_ demuxer: borrowing Demuxer) {
    guard demuxer.rules.isMatroska else { return nil }
    for track in demuxer.tracks where track.kind == .audio {
      // Opus is counted at 48 kHz, whatever the input rate (RFC 7845, 5.1).
      guard let rate = track.codec == .opus ? 48_000 : track.sampleRate, rate > 0,
        let grid = track.grid
      else { continue }
      var stream = Stream(
        track: track, rate: TickGrid(ticksPerSecond: Int64(rate)), grid: grid)
      if track.codec == .vorbis { stream.vorbis = VorbisBlocks(configuration: track.extradata) }
      streams[track.index] = stream
    }
    if streams.isEmpty { return nil }
  }

  mutating func stamp(_ packet: inout PacketFacts, _ demuxer: inout Demuxer) {
    guard var stream = streams[packet.stream] else { return }
    defer { streams[packet.stream] = stream }
    let length = demuxer.withPacketBytes { bytes -> Int64? in
      if stream.vorbis != nil { return stream.vorbis?.samples(bytes.first).map { Int64($0) } }
      let answer = AudioFrameLength.samples(
        codec: stream.track.codec, bytes: bytes, frameSize: stream.track.frameSize)
      if case .samples(let count) = answer { return Int64(count) }
      return nil
    }
    guard let block = packet.byteOffset, block == stream.block, let stated = packet.pts else {
      (stream.block, stream.start) = (packet.byteOffset, packet.pts ?? 0)
      (stream.frames, stream.samples) = (1, length)
      return
    }
    if let samples = stream.samples, let elapsed = try? stream.rate.duration(ofTicks: samples),
      let ticks = try? stream.grid.ticks(of: elapsed, rounding: .nearest)
    {
      let early = stream.start &+ ticks &- stated
      // At most what adding up whole ticks explains; a codec that doubles the rate counts
      // differently.
      if early > 0, early <= stream.frames {
        packet.pts = stated &+ early
        packet.dts = packet.dts.map { $0 &+ early }
        demuxer.retime(packet)
      }
    }
    stream.frames &+= 1
    stream.samples = length.flatMap { length in stream.samples.map { $0 &+ length } }
  }
}
