import ExactTime
import Libav
import MediaFiles
import Probing

/// Receives decoded samples, in presentation order.
protocol AudioSink: ~Copyable {
  /// Receives the properties of the first samples.
  ///
  /// - Parameter samples: the sample count of the whole range at this rate.
  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError)

  /// - Parameter heard: positions outside of this are not audible.
  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError)

  /// Samples are missing from here on, up to those taken next, since they could not be decoded.
  mutating func lose()
}

extension AudioSink where Self: ~Copyable {
  mutating func lose() {}
}

/// One pass over the packets of an audio track, or over those from some instant on.
struct AudioReading<Sink: AudioSink & ~Copyable>: ~Copyable {
  private let track: AudioTrack
  private let range: MediaTimeRange
  var sink: Sink
  private var demuxer: Demuxer
  private var clock: AudioClock
  private let stream: Int
  private var decoder: Decoder
  private let sound: DecodedAudio
  private let grid: TickGrid

  /// The rate of the first decoded samples, which all others must have.
  private(set) var sampleRate: Int?
  private var placement: AudioPlacement?
  private var heard: Range<Int64> = 0..<0
  /// The tick and the position at which the next frame is expected.
  private var expected: (tick: Int64, position: Int64?)?
  /// What is added to every tick since the clock was reset.
  private var shift: Int64 = 0
  private var isDone = false
  private var hasEnded = false
  /// The stretches that are being read, and those for which the file is read again: their media comes earlier in
  /// it.
  private var turn = 0..<0
  private var turns: [Range<Int>] = []
  private var isTurning = false

  /// More passes over a file would take too long; what is out of order is then missing.
  private static var mostTurns: Int { 1000 }

  /// - Parameters:
  ///   - range: samples are counted from its start; what follows it is not read.
  ///   - start: an instant from which samples are needed, where earlier ones may be skipped; the
  ///     preroll is decoded.
  init(
    _ track: AudioTrack, in range: MediaTimeRange, from start: MediaTime? = nil,
    for sink: consuming Sink
  ) throws(MediaError) {
    let opened = try track.openDemuxer()
    let decoder = try Self.decoder(opened, track, isSought: start != nil)
    let sound = try Self.sound()
    guard let grid = opened.demuxer.tracks[opened.stream].grid else {
      throw MediaError(.damaged, "its audio has no time base")
    }
    self.init(track, in: range, from: start, sink, opened, decoder, sound, grid)
  }

  /// Cannot fail: Swift 6.2 miscompiles a failure after the default values of a noncopyable type are
  /// set.
  private init(
    _ track: AudioTrack, in range: MediaTimeRange, from start: MediaTime?, _ sink: consuming Sink,
    _ opened: consuming OpenedStream, _ decoder: consuming Decoder, _ sound: consuming DecodedAudio,
    _ grid: TickGrid
  ) {
    self.track = track
    self.range = range
    self.sink = sink
    self.grid = grid
    self.decoder = decoder
    self.sound = sound
    stream = opened.stream
    demuxer = opened.intoDemuxer()
    clock = AudioClock(demuxer)
    if let start, clock.allowsSeeking, let tick = track.tick(leadingTo: start, grid) {
      _ = demuxer.seek(stream: stream, tick: tick)
      clock.noteSeek()
    }
  }

  private static func decoder(
    _ opened: borrowing OpenedStream, _ track: AudioTrack, isSought: Bool
  ) throws(MediaError) -> Decoder {
    let stream = opened.demuxer.tracks[opened.stream]
    guard stream.isDecodable else {
      throw MediaError(
        .notDecoded, "its audio is \(track.codec), which is not decoded here")
    }
    do throws(LibavError) {
      return try opened.demuxer.decoder(
        forStream: opened.stream, limits: track.bounds.limits.demuxer, keepsLead: isSought)
    } catch {
      throw MediaError(error)
    }
  }

  private static func sound() throws(MediaError) -> DecodedAudio {
    do throws(LibavError) {
      return try DecodedAudio()
    } catch {
      throw MediaError(error)
    }
  }

  /// Decodes one more packet; false when everything needed has been decoded.
  mutating func advance() throws(MediaError) -> Bool {
    try track.bounds.checkTime()
    guard !hasEnded else { return false }
    if isTurning {
      try takeTurn()
      return true
    }
    do throws(LibavError) {
      guard var packet = try demuxer.nextPacket() else {
        decoder.finish()
        try receive()
        if !turns.isEmpty { isTurning = true }
        hasEnded = !isTurning
        return isTurning
      }
      guard packet.stream == stream else { return true }
      clock.stamp(&packet, &demuxer)
      switch demuxer.send(to: decoder) {
      case .accepted: break
      case .refused: sink.lose()
      case .full:
        try receive()
        if demuxer.send(to: decoder) == .refused { sink.lose() }
      }
      try receive()
      return !isDone
    } catch {
      throw MediaError(error)
    }
  }

  /// Goes back to where the next stretches begin.
  private mutating func takeTurn() throws(MediaError) {
    turn = turns.removeFirst()
    isTurning = false
    let opened = try track.openDemuxer()
    decoder = try Self.decoder(opened, track, isSought: true)
    demuxer = opened.intoDemuxer()
    clock = AudioClock(demuxer)
    (expected, shift) = (nil, 0)
    guard let placement, clock.allowsSeeking,
      let tick = track.tick(leadingToMedia: placement.mediaStart(turn.lowerBound), grid)
    else { return }
    _ = demuxer.seek(stream: stream, tick: tick)
    clock.noteSeek()
  }

  private mutating func receive() throws(LibavError) {
    // A decoder that always fails must not block the loop.
    var failures = 0
    while failures < 1000 {
      switch decoder.receive(into: sound) {
      case .frame(let facts): try add(facts)
      case .needsInput, .ended: return
      case .failed:
        failures += 1
        sink.lose()
      }
    }
  }

  private mutating func add(_ facts: FrameFacts) throws(LibavError) {
    guard facts.sampleCount > 0, facts.sampleRate > 0, sound.channelCount > 0 else { return }
    var tick = (facts.time ?? expected?.tick ?? 0) &+ shift
    if sampleRate == nil {
      try begin(facts, tick: tick)
    } else if track.clockMayJump, let due = expected?.tick, isJump(from: due, to: tick) {
      shift &+= due &- tick
      tick = due
    }
    guard let placement, facts.sampleRate == sampleRate else { return }
    guard !isTurning,
      let start = placement.start(tick: tick, expected: expected?.position)
    else { return }
    for run in placement.runs(in: turn, from: start, count: facts.sampleCount) {
      try sink.take(sound, run, heard: heard, from: decoder)
    }
    let length = placement.ticks(ofSamples: Int64(facts.sampleCount))
    expected = (tick &+ length, start + Int64(facts.sampleCount))
    guard placement.hasPassed(heard.upperBound, in: turn, from: start) else { return }
    isTurning = !turns.isEmpty
    isDone = !isTurning
  }

  /// Takes the sample rate and channel count from the first samples.
  private mutating func begin(_ facts: FrameFacts, tick: Int64) throws(LibavError) {
    let rate = Int64(facts.sampleRate)
    guard let length = try? range.checkedLength(),
      let samples = try? length.seconds.multiplied(by: Rational(rate)).rounded(.up),
      let placement = track.placement(
        in: range, sampleRate: rate, grid: grid, firstTick: tick)
    else { throw LibavError(.invalidData, "its audio is too long to measure") }
    self.placement = placement
    sampleRate = facts.sampleRate
    try sink.begin(samples: samples, rate: facts.sampleRate, channels: sound.channelCount)
    heard = track.heard(in: range, sampleRate: rate) ?? 0..<0
    let needed = placement.turns(upTo: heard.upperBound)
    turn = needed.first ?? 0..<0
    turns = Array(needed.dropFirst().prefix(Self.mostTurns))
  }

  /// Whether a step is a clock reset and not a pause: ten seconds ahead or half a second back.
  private func isJump(from due: Int64, to tick: Int64) -> Bool {
    guard let ahead = try? grid.ticks(of: MediaDuration(10), rounding: .up),
      let back = try? grid.ticks(of: MediaDuration(1, 2), rounding: .up)
    else { return false }
    return tick &- due > ahead || due &- tick > back
  }
}
