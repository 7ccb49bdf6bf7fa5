#if FFmpeg
  public import ExactTime
  import Libav
  public import MediaFiles
  extension Waveform {
    /// Decodes the sound of a range.
    ///
    /// Blocking. What is hidden by edit lists, priming and padding is not drawn, and where the file
    /// goes on without sound there is silence.
    ///
    /// - Parameter range: counted from the track's origin.
    /// - Throws: ``ProbeError``; `notDecoded` for a codec that is not decoded here.
    public init(
      of track: SoundTrack, in range: MediaTimeRange, scale: WaveformScale,
      channels: Channels = .mixed
    ) throws(ProbeError) {
      var reading = try SoundReading(track, in: range, scale: scale, isMixed: channels == .mixed)
      while try reading.advance() {}
      guard let builder = reading.builder, let rate = reading.sampleRate else {
        throw ProbeError(.damaged, "none of its sound can be decoded")
      }
      self.init(
        range: range, sampleRate: rate, scale: scale, sampleCount: builder.sampleCount,
        channels: builder.channels)
    }
  }

  /// One pass over the packets of a track of sound.
  private struct SoundReading: ~Copyable {
    private let track: SoundTrack
    private let range: MediaTimeRange
    private let scale: WaveformScale
    private let isMixed: Bool
    private var demuxer: Demuxer
    private let stream: Int
    private let decoder: Decoder
    private let sound: DecodedSound
    private let grid: TickGrid

    private(set) var builder: WaveformBuilder?
    private(set) var sampleRate: Int?
    private var placement: SoundPlacement?
    private var heard: Range<Int64> = 0..<0
    /// The tick and the position at which the next frame is due.
    private var expected: (tick: Int64, position: Int64?)?
    /// What is added to every tick since the clock was reset.
    private var shift: Int64 = 0
    private var isDone = false

    init(
      _ track: SoundTrack, in range: MediaTimeRange, scale: WaveformScale, isMixed: Bool
    ) throws(ProbeError) {
      let opened = try track.openDemuxer()
      let decoder = try Self.decoder(opened, track)
      let sound = try Self.sound()
      guard let grid = opened.demuxer.tracks[opened.stream].grid else {
        throw ProbeError(.damaged, "its sound states no time base")
      }
      self.track = track
      self.range = range
      self.scale = scale
      self.isMixed = isMixed
      self.grid = grid
      self.decoder = decoder
      self.sound = sound
      stream = opened.stream
      demuxer = opened.intoDemuxer()
    }

    private static func decoder(
      _ opened: borrowing OpenedStream, _ track: SoundTrack
    ) throws(ProbeError) -> Decoder {
      let stream = opened.demuxer.tracks[opened.stream]
      guard stream.isDecodable else {
        throw ProbeError(
          .notDecoded, "its sound is \(track.codec), which is not decoded here",
          hint: "'trim doctor' lists the codecs that are.")
      }
      do throws(LibavError) {
        return try opened.demuxer.decoder(
          forStream: opened.stream, limits: track.limits.demuxer)
      } catch {
        throw ProbeError(error)
      }
    }

    private static func sound() throws(ProbeError) -> DecodedSound {
      do throws(LibavError) {
        return try DecodedSound()
      } catch {
        throw ProbeError(error)
      }
    }

    /// Decodes one packet more; false when all that is wanted was decoded.
    mutating func advance() throws(ProbeError) -> Bool {
      try track.checkTime()
      do throws(LibavError) {
        guard let packet = try demuxer.nextPacket() else {
          decoder.finish()
          try receive()
          return false
        }
        guard packet.stream == stream else { return true }
        if demuxer.send(to: decoder) == .full {
          try receive()
          _ = demuxer.send(to: decoder)
        }
        try receive()
        return !isDone
      } catch {
        throw ProbeError(error)
      }
    }

    private mutating func receive() throws(LibavError) {
      // A decoder that only ever fails must not hold the loop.
      var failures = 0
      while failures < 1000 {
        switch decoder.receive(into: sound) {
        case .frame(let facts): try add(facts)
        case .needsInput, .ended: return
        case .failed: failures += 1
        }
      }
    }

    private mutating func add(_ facts: FrameFacts) throws(LibavError) {
      guard facts.sampleCount > 0, facts.sampleRate > 0, sound.channelCount > 0 else { return }
      var tick = (facts.time ?? expected?.tick ?? 0) &+ shift
      if builder == nil {
        try begin(facts, tick: tick)
      } else if track.clockMayJump, let due = expected?.tick, isJump(from: due, to: tick) {
        shift &+= due &- tick
        tick = due
      }
      guard let placement, facts.sampleRate == sampleRate else { return }
      let runs = placement.runs(
        tick: tick, count: facts.sampleCount, expected: expected?.position)
      for run in runs {
        guard builder?.add(sound, run, heard: heard) ?? false else {
          throw LibavError(.notAllowed, "its samples are of a kind that is not read here")
        }
      }
      let length = placement.ticks(ofSamples: Int64(facts.sampleCount))
      expected = (
        tick &+ length, runs.last.map { $0.position + Int64($0.samples.count) }
      )
      isDone = runs.last.map { $0.position >= heard.upperBound } ?? false
    }

    /// What the first samples tell: their rate and how many channels there are.
    private mutating func begin(_ facts: FrameFacts, tick: Int64) throws(LibavError) {
      let rate = Int64(facts.sampleRate)
      guard let length = try? range.checkedLength(),
        let samples = try? length.seconds.multiplied(by: Rational(rate)).rounded(.up),
        let placement = track.placement(
          in: range, sampleRate: rate, grid: grid, firstTick: tick),
        let builder = WaveformBuilder(
          scale: scale, sampleCount: samples, channels: sound.channelCount, isMixed: isMixed)
      else { throw LibavError(.tooManyPixels, "the waveform would be longer than is made") }
      self.placement = placement
      self.builder = builder
      sampleRate = facts.sampleRate
      heard = track.heard(in: range, sampleRate: rate) ?? 0..<0
    }

    /// Ten seconds ahead or half a second back is a clock that was set, not a pause.
    private func isJump(from due: Int64, to tick: Int64) -> Bool {
      guard let ahead = try? grid.ticks(of: MediaDuration(10), rounding: .up),
        let back = try? grid.ticks(of: MediaDuration(1, 2), rounding: .up)
      else { return false }
      return tick &- due > ahead || due &- tick > back
    }
  }
#endif
