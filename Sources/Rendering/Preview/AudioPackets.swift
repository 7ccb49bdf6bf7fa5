import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing

/// Reads coded audio packets, and determines when each is presented.
struct AudioPackets: ~Copyable {
  private(set) var demuxer: Demuxer
  let stream: Int
  let sampleRate: Int64
  /// The configuration that replaces ADTS headers in MP4; `nil` where the source's can be used.
  private(set) var configuration: [UInt8]?

  private let track: AudioTrack
  private let grid: TickGrid
  private var clock: AudioClock
  private var placement: AudioPlacement?
  /// The position at which the next packet is expected.
  private(set) var due: Int64?
  private var held: Packet?
  /// Whether a packet was read whose time is not known, or which MP4 cannot represent.
  private(set) var isLost: Bool

  struct Packet {
    var bytes: [UInt8]
    /// The range in samples of the preview.
    var samples: Range<Int64>
  }

  /// - Parameter start: an instant from which packets are needed.
  init(_ track: AudioTrack, from start: MediaTime) throws(MediaError) {
    self.init(try track.openDemuxer(), track, from: start)
  }

  /// Cannot fail: Swift 6.2 miscompiles a failure after the default values of a noncopyable type are
  /// set.
  private init(_ opened: consuming OpenedStream, _ track: AudioTrack, from start: MediaTime) {
    let described = opened.demuxer.tracks[opened.stream]
    let grid = described.grid ?? TickGrid(ticksPerSecond: 1)
    self.track = track
    self.grid = grid
    sampleRate = Int64(max(1, described.sampleRate ?? 1))
    isLost = !track.isOneStretch || described.grid == nil || described.sampleRate == nil
    stream = opened.stream
    demuxer = opened.intoDemuxer()
    clock = AudioClock(demuxer)
    guard start > .zero, !isLost else { return }
    guard clock.allowsSeeking, let tick = track.tick(leadingTo: start, grid) else {
      isLost = true
      return
    }
    // Where seeking fails, everything is read from the beginning.
    if demuxer.seek(stream: stream, tick: tick) { clock.noteSeek() }
  }

  /// The next packet, without consuming it; `nil` at the end, and where the
  /// time is lost.
  mutating func hold() throws(MediaError) -> Packet? {
    if held == nil, !isLost { held = try read() }
    return held
  }

  mutating func take() {
    due = held?.samples.upperBound
    held = nil
  }

  private mutating func read() throws(MediaError) -> Packet? {
    do throws(LibavError) {
      while var facts = try demuxer.nextPacket() {
        try checkTime()
        guard facts.stream == stream else { continue }
        clock.stamp(&facts, &demuxer)
        let bytes = demuxer.withPacketBytes { Array($0) }
        let packet = packet(facts, bytes)
        isLost = packet == nil
        return packet
      }
      return nil
    } catch {
      throw MediaError(error)
    }
  }

  private func checkTime() throws(LibavError) {
    do throws(MediaError) {
      try track.bounds.checkTime()
    } catch {
      throw LibavError(.tooMuch, error.message)
    }
  }

  private mutating func packet(
    _ facts: PacketFacts, _ bytes: [UInt8]
  ) -> Packet? {
    let described = demuxer.tracks[stream]
    let answer = AudioFrameLength.samples(
      codec: described.codec, bytes, frameSize: described.frameSize)
    let stated: Int64? =
      switch answer {
      case .samples(let count): Int64(count)
      case .unknown: samples(ofTicks: facts.duration)
      case .nothing, .cutShort: nil
      }
    guard let count = stated, let tick = facts.pts ?? facts.dts else { return nil }
    if placement == nil { placement = placed(firstTick: tick) }
    guard let start = placement?.start(tick: tick, expected: due) else { return nil }
    // A clock at half the rate indicates SBR, which the decoder adds.
    if facts.duration > 0, let stated = placement?.ticks(ofSamples: count),
      (stated - facts.duration).magnitude > max(1, facts.duration.magnitude / 8)
    {
      return nil
    }
    let samples = start..<start + count
    guard described.codec == .aac, described.extradata.isEmpty else {
      return Packet(bytes: bytes, samples: samples)
    }
    guard let header = ADTSHeader(bytes), header.isOneFrame, header.channels > 0 else {
      return nil
    }
    configuration = header.audioSpecificConfig
    return Packet(bytes: Array(bytes.dropFirst(header.byteCount)), samples: samples)
  }

  /// The container's duration of a packet that does not state its own, where it is a whole number
  /// of samples.
  private func samples(ofTicks ticks: Int64) -> Int64? {
    guard ticks > 0,
      let samples = try? grid.secondsPerTick.multiplied(by: Rational(ticks))
        .multiplied(by: Rational(sampleRate)), samples.denominator == 1
    else { return nil }
    return samples.numerator
  }

  private func placed(firstTick tick: Int64) -> AudioPlacement? {
    let all = MediaTimeRange(from: .zero, to: max(.zero, track.presented.end))
    return all.flatMap {
      track.placement(in: $0, sampleRate: sampleRate, grid: grid, firstTick: tick)
    }
  }
}
