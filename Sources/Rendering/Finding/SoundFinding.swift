public import Detection
public import ExactTime
import Glibc
import Libav
public import MediaFiles

extension SoundTrack {
  /// Finds where the audio of a range is silent.
  ///
  /// Blocking. Where the file continues without audio, nothing is heard; what cannot be decoded is not silent.
  ///
  /// - Parameters:
  ///   - range: counted from the track's origin.
  ///   - shortest: shorter silences are not reported.
  /// - Throws: ``ProbeError``; `notDecoded` for a codec that is not decoded here, `damaged` if nothing can be
  ///   decoded.
  public func findings(
    in range: MediaTimeRange, below level: SoundLevel, shortest: MediaDuration
  ) throws(ProbeError) -> TrackFindings {
    var reading = try SoundReading(
      self, in: range, for: SilenceSink(level: level, shortest: shortest))
    while try reading.advance() {}
    guard !reading.sink.isUnknown else {
      throw ProbeError(.damaged, "none of its audio can be decoded")
    }
    do throws(ExactTimeError) {
      return try reading.sink.findings(in: range)
    } catch {
      throw ProbeError(.damaged, "its audio is too long to measure")
    }
  }
}

/// Looks for silence in what is heard.
private struct SilenceSink: SoundSink {
  let level: SoundLevel
  let shortest: MediaDuration
  private var detector: SilenceDetector?
  private var sampleRate: Int64 = 1
  private var total: Int64 = 0
  /// Up to where something is heard.
  private var end: Int64 = 0
  /// Whether samples could not be decoded since the last ones.
  private var isLost = false
  private var unseen: [Range<Int64>] = []

  init(level: SoundLevel, shortest: MediaDuration) {
    self.level = level
    self.shortest = shortest
  }

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    sampleRate = Int64(rate)
    total = samples
    do throws(ExactTimeError) {
      detector = try SilenceDetector(sampleRate: rate, level: level, shortest: shortest)
    } catch {
      throw LibavError(.notAllowed, "the silence would be longer than allowed")
    }
  }

  mutating func take(
    _ sound: borrowing DecodedSound, _ run: SoundPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    guard let done = detector?.count else { return }
    end = min(heard.upperBound, total)
    let start = max(run.position, heard.lowerBound, done)
    let end = min(run.position + Int64(run.samples.count), end)
    guard start < end else { return }
    let from = run.samples.lowerBound + Int(start - run.position)
    let samples = (0..<sound.channelCount).map {
      sound.samples(ofChannel: $0, from..<from + Int(end - start))
    }
    guard samples.allSatisfy({ !$0.isEmpty }) else {
      throw LibavError(.notAllowed, "its sample format is not supported")
    }
    // Before the first sample that is heard there is silence.
    if done < heard.lowerBound { detector?.addSilence(min(start, heard.lowerBound) - done) }
    pass(to: start)
    detector?.add(samples)
  }

  mutating func lose() { isLost = true }

  /// Whether no sample could be decoded.
  var isUnknown: Bool { isLost && detector == nil }

  /// Goes on to where samples are known again.
  private mutating func pass(to position: Int64) {
    defer { isLost = false }
    guard let done = detector?.count, done < position else { return }
    if isLost {
      unseen.append(done..<position)
      detector?.skip(position - done)
    } else {
      detector?.addSilence(position - done)
    }
  }

  mutating func findings(in range: MediaTimeRange) throws(ExactTimeError) -> TrackFindings {
    pass(to: end)
    pass(to: total)
    guard var detector else { return TrackFindings() }
    let grid = TickGrid(ticksPerSecond: sampleRate)
    func time(_ samples: Range<Int64>) throws(ExactTimeError) -> MediaTimeRange? {
      let start = try range.start.advanced(by: grid.duration(ofTicks: samples.lowerBound))
      let end = try range.start.advanced(by: grid.duration(ofTicks: samples.upperBound))
      return MediaTimeRange(from: start, to: min(range.end, end))
    }
    var found = TrackFindings()
    for (silence, power) in detector.finish() {
      if let silent = try time(silence), silent.start < silent.end {
        found.findings.append(
          Finding(.silence, silent, score: power > 0 ? 10 * log10(power) : nil))
      }
    }
    for samples in unseen { if let range = try time(samples) { found.miss(range) } }
    return found
  }
}
