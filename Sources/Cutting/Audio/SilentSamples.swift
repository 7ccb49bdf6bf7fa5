import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Inserts silence into gaps in uncompressed audio, and before it, where its container (AVI, WAV,
/// AIFF, CAF) has no audio timestamps: its samples are played back to back from the beginning.
struct SilentSamples {
  let source: any CutSource
  let spool: PayloadSpool

  /// Upper bound of rounding errors: of packet times in milliseconds; joined parts that are
  /// counted in samples are off by one.
  private static let rounding = MediaDuration(2, 1000)

  /// - Parameter tracks: those of the whole output.
  func fill(_ tracks: inout [OutputTrack]) throws(MediaError) {
    for place in tracks.indices {
      let (track, codec) = (tracks[place], tracks[place].codec(in: source))
      guard track.made == nil, AudioCodec.isUncompressed(codec),
        let size = PacketSamples.size(of: track, in: source),
        let rate = source.tracks[track.source].facts.audio?.sampleRate, rate > 0
      else { continue }
      let samples = Samples(
        size: size, clock: TickGrid(ticksPerSecond: Int64(rate)),
        silence: AudioAssembly.silence(of: codec))
      let rounding = track.grid == samples.clock ? 1 : try samples.count(of: Self.rounding)
      var packets: ContiguousArray<OutputPacket> = []
      var done: Int64 = 0
      for packet in track.packets {
        let lack = try samples.count(upTo: packet, of: track) &- done
        if lack > (done == 0 ? 0 : rounding) {
          let silence = try silence(lack, before: packet, of: track, samples)
          // A gap may be stated as the duration of the packet before it.
          if let begin = silence.first?.pts, let last = packets.indices.last {
            packets[last].duration = begin &- packets[last].pts
          }
          packets += silence
          done &+= lack
        }
        packets.append(packet)
        done &+= Int64(packet.byteCount / size)
      }
      tracks[place].packets = packets
    }
  }

  /// Creates packets of at most a second.
  private func silence(
    _ lack: Int64, before packet: OutputPacket, of track: OutputTrack, _ samples: Samples
  ) throws(MediaError) -> [OutputPacket] {
    let second = try samples.count(of: MediaDuration(1))
    guard lack < 3600 * second else {
      throw MediaError(.notCuttable, "the audio has a gap of more than an hour")
    }
    var result: [OutputPacket] = []
    var left = lack
    while left > 0 {
      let step = min(left, second)
      let begin = try packet.pts &- samples.ticks(left, of: track)
      left -= step
      let end = try packet.pts &- samples.ticks(left, of: track)
      let bytes = [UInt8](repeating: samples.silence, count: Int(step) * samples.size)
      var silent = OutputPacket(
        pts: begin, dts: begin, duration: end &- begin, isKey: true, byteCount: bytes.count,
        payload: .made(try spool.add(bytes)), place: packet.place)
      silent.isRenumbered = true
      silent.isFilled = true
      result.append(silent)
    }
    return result
  }

  private struct Samples {
    /// In bytes, for all channels.
    let size: Int
    let clock: TickGrid
    let silence: UInt8

    func count(of length: MediaDuration) throws(MediaError) -> Int64 {
      try exact { () throws(ExactTimeError) in try clock.ticks(of: length, rounding: .nearest) }
    }

    /// Counted from the output's beginning.
    func count(upTo packet: OutputPacket, of track: OutputTrack) throws(MediaError) -> Int64 {
      try exact { () throws(ExactTimeError) in
        let ticks = try Rational(packet.pts).subtracting(track.zero)
        let time = try MediaDuration(seconds: ticks.multiplied(by: track.grid.secondsPerTick))
        return try clock.ticks(of: time, rounding: .nearest)
      }
    }

    func ticks(_ count: Int64, of track: OutputTrack) throws(MediaError) -> Int64 {
      try exact { () throws(ExactTimeError) in
        try track.grid.ticks(of: clock.duration(ofTicks: count), rounding: .nearest)
      }
    }

    private func exact(_ body: () throws(ExactTimeError) -> Int64) throws(MediaError) -> Int64 {
      do throws(ExactTimeError) {
        return try body()
      } catch {
        throw .beyondNumbers
      }
    }
  }
}
